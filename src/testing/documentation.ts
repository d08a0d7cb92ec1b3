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
