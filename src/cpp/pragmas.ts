// Pragmas that change what the text after them means: `pack`, `push_macro`, `pop_macro`. Others speak about warnings and speed.

import type { Macro } from './macros.ts';
import type { Token } from './token.ts';

/** Without these the program means something else, and nobody here follows them. */
const UNKNOWN = new Set(['scalar_storage_order', 'weak', 'redefine_extname', 'ms_struct']);

const LIMITS = new Set([0, 1, 2, 4, 8, 16]);

export class Pragmas {
  /** What members of structs are aligned to at most; null for no limit. */
  limit: number | null = null;
  private readonly limits: { readonly limit: number | null; readonly name: string | null }[] = [];
  private readonly pushed = new Map<string, (Macro | undefined)[]>();
  private readonly macros: Map<string, Macro>;

  constructor(macros: Map<string, Macro>) {
    this.macros = macros;
  }

  /** What is wrong with it, or null. Macros in it are not expanded. */
  obey(line: readonly Token[]): string | null {
    const [word, ...rest] = line;
    if (word === undefined) return null;
    if (UNKNOWN.has(word.text)) return `#pragma ${word.text} is not supported`;
    if (word.text === 'pack') this.pack(rest.map(({ text }) => text));
    const name = rest[1]?.kind === 'string' ? rest[1].text.slice(1, -1) : null;
    if (word.text === 'push_macro' && name !== null)
      this.pushed.set(name, [...(this.pushed.get(name) ?? []), this.macros.get(name)]);
    if (word.text === 'pop_macro' && name !== null) this.popMacro(name);
    return null;
  }

  private popMacro(name: string): void {
    const stack = this.pushed.get(name);
    if (stack === undefined || stack.length === 0) return;
    const macro = stack.pop();
    if (macro === undefined) this.macros.delete(name);
    else this.macros.set(name, macro);
  }

  /** As gcc reads it; what it warns about and ignores is ignored here. */
  private pack(words: readonly string[]): void {
    const match = /^\( (?:(push|pop)(?: , ([A-Za-z_]\w*))?(?: , (\d+))? |(\d+) |)\)/.exec(words.join(' '));
    if (match === null) return;
    const [, action, name = null, second, only] = match;
    const number = second ?? only;
    if (number !== undefined && !LIMITS.has(Number(number))) return;
    const given = number === undefined ? null : Number(number) || null;
    if (action === 'pop') {
      const at =
        name === null ? this.limits.length - 1 : this.limits.findLastIndex((one) => one.name === name);
      if (at < 0 || number !== undefined) return;
      this.limit = this.limits[at]!.limit;
      this.limits.length = at;
      return;
    }
    if (action === 'push') this.limits.push({ limit: this.limit, name });
    if (action !== 'push' || number !== undefined) this.limit = given;
  }
}
