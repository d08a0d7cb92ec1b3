// Which variables are alive where. Everything is inlined, so a step lies in one chain of blocks, from its own outwards to main's: the variables of these are
// alive, those of others are not. Calls that share a copy of a function make chains of several callers, which may disagree.

import type { Block, MemoryObject, Program } from '../program/program.ts';

/** `other`: it is a variable of another thread. */
export type Standing = 'alive' | 'ended' | 'open' | 'other';

export class Blocks {
  /** By the object: the blocks that it ends with. */
  private readonly owners = new Map<MemoryObject, Set<Block>>();
  private readonly roots = new Map<Block, ReadonlySet<Block>>();
  private readonly found = new Map<MemoryObject, Map<Block, Standing>>();

  constructor({ edges }: Program) {
    const blocks = new Set<Block>();
    for (const { block } of edges) if (block !== undefined) blocks.add(block);
    for (const block of blocks) {
      for (const outer of block.outer) blocks.add(outer);
      for (const object of block.objects) {
        const owners = this.owners.get(object) ?? new Set();
        this.owners.set(object, owners.add(block));
      }
    }
  }

  /** What belongs to no block is always alive. */
  standing(object: MemoryObject, block: Block | undefined): Standing {
    const owners = this.owners.get(object);
    if (owners === undefined) return 'alive';
    if (block === undefined) return 'open';
    if (!this.isOfSameThread(owners, block)) return 'other';
    let found = this.found.get(object);
    if (found === undefined) this.found.set(object, (found = new Map()));
    return this.find(object, block, found);
  }

  private find(object: MemoryObject, block: Block, found: Map<Block, Standing>): Standing {
    const known = found.get(block);
    if (known !== undefined) return known;
    const around = new Set(block.outer.map((outer) => this.find(object, outer, found)));
    const [only, more] = around;
    const standing = block.objects.has(object)
      ? 'alive'
      : only === undefined
        ? 'ended'
        : more === undefined
          ? only
          : 'open';
    found.set(block, standing);
    return standing;
  }

  private isOfSameThread(owners: ReadonlySet<Block>, block: Block): boolean {
    const mine = this.rootsOf(block);
    return [...owners].some((owner) => [...this.rootsOf(owner)].some((root) => mine.has(root)));
  }

  private rootsOf(block: Block): ReadonlySet<Block> {
    let roots = this.roots.get(block);
    if (roots === undefined) {
      roots =
        block.outer.length === 0
          ? new Set([block])
          : new Set(block.outer.flatMap((outer) => [...this.rootsOf(outer)]));
      this.roots.set(block, roots);
    }
    return roots;
  }
}
