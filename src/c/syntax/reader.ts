// What reading tree-sitter's nodes needs everywhere: children by field, spans in the user's files, refusal of what is not C.

import type { Node } from 'web-tree-sitter';
import type { Span } from '../../source/source.ts';
import { refuse } from '../codes.ts';
import type { Preprocessed } from '../text/preprocess.ts';

export class Reader {
  private readonly source: Preprocessed;

  constructor(source: Preprocessed) {
    this.source = source;
  }

  span(node: Node): Span {
    return this.source.spanOf(node.startIndex, node.endIndex);
  }

  field(node: Node, name: string): Node {
    return node.childForFieldName(name) ?? this.unsupported(node, `'${node.type}' without ${name}`);
  }

  named(node: Node): Node[] {
    return node.namedChildren.filter((child): child is Node => child !== null && child.type !== 'comment');
  }

  unsupported(node: Node, what: string): never {
    return refuse('SPW5012', `${what} is not supported`, this.span(node));
  }

  /** The first error in the tree, as a refusal. */
  refuseErrors(root: Node): void {
    if (!root.hasError) return;
    const stack: Node[] = [root];
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (node.isMissing) refuse('SPW5001', `'${node.type}' is missing here`, this.span(node));
      if (node.isError) refuse('SPW5001', 'this is not C', this.span(node));
      for (const child of [...node.children].reverse()) if (child?.hasError) stack.push(child);
    }
    refuse('SPW5001', 'this is not C', this.span(root));
  }
}
