// Promela's words. Its tokens are those that the preprocessor leaves.

export type { Token, TokenKind } from '../cpp/token.ts';
export { copyOf } from '../cpp/token.ts';

export const KEYWORDS: ReadonlySet<string> = new Set(
  `active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track D_proctype do chan else empty enabled eval
   false fi for full get_priority goto hidden if init inline int len local ltl mtype nempty never nfull notrace np_ od of
   pc_value pid printf printm priority proctype provided return run d_step select set_priority short skip timeout trace true
   show typedef unless unsigned xr xs`
    .trim()
    .split(/\s+/),
);

export const TYPE_WORDS: ReadonlySet<string> = new Set([
  'bit',
  'bool',
  'byte',
  'pid',
  'short',
  'int',
  'unsigned',
  'mtype',
  'chan',
]);
