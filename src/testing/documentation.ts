// Documentation that is run: fenced blocks of a Markdown page, in order.
//
//   ```promela file=first.pml      the block is written to that file before the commands that follow
//   ```console                     lines that begin with `$ spillway` are run; what follows must be their output
//   ```console exit=1              the last command's exit code
//
// Output is compared after volatile figures (times) are replaced. `…` on a line of its own stands for any number of lines.

export type Block =
  | { readonly kind: 'file'; readonly name: string; readonly content: string; readonly line: number }
  | {
      readonly kind: 'commands';
      readonly commands: readonly Command[];
      readonly exit: number | null;
      readonly line: number;
    };

/** A command outside of the blocks that are run: in another block, or in running text. */
export interface LooseCommand {
  readonly words: readonly string[];
  readonly line: number;
  readonly inText: boolean;
  /** Words in capitals stand for something: `spillway bounds MODEL`. */
  readonly isPattern: boolean;
}

export interface Command {
  readonly words: readonly string[];
  readonly output: string;
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const fence = /^```(\w+)(.*)$/.exec(lines[i]!);
    if (fence === null) continue;
    const end = lines.indexOf('```', i + 1);
    const body = lines.slice(i + 1, end);
    const line = i + 1;
    const file = /file=(\S+)/.exec(fence[2]!)?.[1];
    if (file !== undefined) blocks.push({ kind: 'file', name: file, content: `${body.join('\n')}\n`, line });
    else if (fence[1] === 'console') {
      const exit = /exit=(\d+)/.exec(fence[2]!)?.[1];
      blocks.push({
        kind: 'commands',
        commands: commandsOf(body),
        exit: exit === undefined ? null : Number(exit),
        line,
      });
    }
    i = end;
  }
  return blocks;
}

/** Commands of the tool that a page shows elsewhere than in `console` blocks, and shell commands in these that are not the tool's. */
export function looseCommands(markdown: string): { tool: LooseCommand[]; other: LooseCommand[] } {
  const tool: LooseCommand[] = [];
  const other: LooseCommand[] = [];
  let fence: string | null = null;
  markdown.split('\n').forEach((text, index) => {
    const fenced = /^```(\w*)/.exec(text);
    if (fenced !== null) {
      fence = fence === null ? fenced[1]! : null;
      return;
    }
    const add = (list: LooseCommand[], command: string, inText: boolean) => {
      const bare = command.replace(/\s+#.*$|\s{3,}.*$/, '');
      const isPattern = /[[\]…]|(?<![\w./-])[A-Z]{3,}\b/.test(bare);
      list.push({ words: shellWords(bare), line: index + 1, inText, isPattern });
    };
    if (fence === 'console') {
      const command = /^\$ (?!(?:npx )?spillway )(.*)$/.exec(text);
      if (command !== null) add(other, command[1]!, false);
    } else if (fence !== null || /^ {4}/.test(text)) {
      const command = /^(?:\s*|.*(?:&&|run:)\s*)(?:\$ )?(?:npx )?spillway ([a-z-].*)$/.exec(text);
      if (command !== null) add(tool, command[1]!, false);
    } else {
      for (const span of text.matchAll(/`(?:npx )?spillway ([a-z][^`]*)`/g)) add(tool, span[1]!, true);
    }
  });
  return { tool, other };
}

function commandsOf(body: readonly string[]): Command[] {
  const commands: { words: string[]; lines: string[] }[] = [];
  for (const line of body) {
    const command = /^\$ (?:npx )?spillway (.*)$/.exec(line);
    if (command !== null) commands.push({ words: shellWords(command[1]!), lines: [] });
    else commands.at(-1)?.lines.push(line);
  }
  return commands.map(({ words, lines }) => ({ words, output: lines.join('\n') }));
}

function shellWords(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

/** The page with each command's output replaced by what it printed: for updating pages after a change was looked at. */
export function withOutputs(markdown: string, outputs: readonly string[]): string {
  const lines = markdown.split('\n');
  const result: string[] = [];
  let next = 0;
  for (let i = 0; i < lines.length; i++) {
    result.push(lines[i]!);
    if (!/^```console/.test(lines[i]!)) continue;
    const end = lines.indexOf('```', i + 1);
    for (const line of lines.slice(i + 1, end)) {
      if (!/^\$ (?:npx )?spillway /.test(line)) continue;
      result.push(line);
      const output = outputs[next++]!.trimEnd();
      if (output !== '') result.push(output);
    }
    result.push('```');
    i = end;
  }
  return result.join('\n');
}

/** Times differ from run to run. */
export const withoutTimes = (text: string): string => text.replace(/\d+(\.\d+)? ms/g, 'N ms').trimEnd();

/** Does the shown output match what was printed, `…` lines standing for anything? */
export function matches(shown: string, printed: string): boolean {
  const parts = withoutTimes(shown).split(/^\s*…\s*$/m);
  const literal = (part: string): string => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${parts.map(literal).join('[^]*')}$`).test(withoutTimes(printed));
}
