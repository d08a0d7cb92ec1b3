// C as written, after preprocessing. Names are not resolved and types not computed; every node knows its place.

import type { Span } from '../../source/source.ts';

export type TypeSpec = {
  /** `const`, `volatile`, with blanks between them. */
  readonly qualifiers?: string;
} & (
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly span: Span }
  | { readonly kind: 'typedef'; readonly name: string; readonly span: Span }
  | {
      readonly kind: 'record';
      readonly union: boolean;
      readonly tag: string | null;
      /** What stands among the fields. */
      readonly asserted: readonly StaticAssertion[];
      readonly fields: readonly FieldDeclaration[] | null;
      readonly packed: boolean;
      readonly aligned: Expression | null;
      /** What `#pragma pack` says here; null for nothing. */
      readonly pack: number | null;
      readonly span: Span;
    }
  | { readonly kind: 'typeof'; readonly of: Expression | TypeName; readonly span: Span }
  /** `__attribute__((mode(QI)))`: a number of the same kind, of another width. */
  | { readonly kind: 'mode'; readonly mode: string; readonly of: TypeSpec; readonly span: Span }
  /** `_Atomic int`: accesses are of one piece. */
  | { readonly kind: 'atomic'; readonly of: TypeSpec; readonly span: Span }
  /** `__auto_type`: the type of the initialiser. */
  | { readonly kind: 'auto'; readonly span: Span }
  | {
      readonly kind: 'enum';
      readonly tag: string | null;
      readonly items:
        | readonly { readonly name: string; readonly value: Expression | null; readonly span: Span }[]
        | null;
      readonly packed: boolean;
      readonly span: Span;
    }
);

export type Declarator =
  | { readonly kind: 'name'; readonly name: string | null; readonly span: Span }
  | {
      readonly kind: 'pointer';
      readonly atomic?: true;
      readonly qualifiers: string;
      readonly inner: Declarator;
    }
  | { readonly kind: 'array'; readonly inner: Declarator; readonly size: Expression | null }
  | {
      readonly kind: 'function';
      readonly inner: Declarator;
      readonly parameters: readonly Parameter[];
      readonly variadic: boolean;
      /** Names only, as before 1989. */
      readonly old?: true;
    };

export interface Parameter {
  readonly type: TypeSpec;
  readonly declarator: Declarator;
}

/** `_Static_assert(test, text)` stands where declarations do; it declares nothing. */
export interface StaticAssertion {
  readonly test: Expression;
  /** As it is written. */
  readonly text: string | null;
  readonly span: Span;
}

export interface FieldDeclaration {
  readonly type: TypeSpec;
  /** What is said of a member without a name. */
  readonly aligned: readonly Expression[];
  readonly declarators: readonly {
    readonly declarator: Declarator;
    readonly bits: Expression | null;
    /** Where an attribute of its own changes the type that the others have. */
    readonly type?: TypeSpec;
    readonly packed: boolean;
    readonly aligned: readonly Expression[];
  }[];
}

export interface Declaration {
  readonly kind: 'declaration';
  readonly asserted?: StaticAssertion;
  readonly storage: 'typedef' | 'static' | 'extern' | null;
  /** Each thread has one of its own. */
  readonly threadLocal?: boolean;
  readonly constant: boolean;
  readonly volatile: boolean;
  /** `inline` and not `extern`: alone it makes no function that other files could call. */
  readonly inline?: true;
  readonly type: TypeSpec;
  readonly items: readonly {
    readonly declarator: Declarator;
    readonly value: Expression | null;
    /** The linker takes another definition (lower/linking.ts): the value counts for the type alone. */
    readonly elsewhere?: true;
    /** Where attributes of its own change the type that the others have. */
    readonly type?: TypeSpec;
    readonly noreturn: boolean;
    readonly weak: boolean;
    /** What an attribute or the assembler's name says it is called. */
    readonly alias: string | null;
    /** It was the assembler's name. */
    readonly isLabel: boolean;
    /** What each `aligned` and `_Alignas` says. */
    readonly aligned: readonly Expression[];
    readonly span: Span;
  }[];
  readonly span: Span;
}

export interface FunctionDefinition {
  readonly kind: 'function';
  readonly type: TypeSpec;
  readonly declarator: Declarator;
  readonly body: Statement;
  readonly static: boolean;
  /** Where there is no other declaration of it, only this file can use it: `inline` without `extern`. `gnu`: whatever else is declared. */
  readonly inline?: 'c99' | 'gnu';
  readonly weak?: true;
  readonly span: Span;
}

export type TopLevel = Declaration | FunctionDefinition;

export type Statement = { readonly span: Span } & (
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'declare'; readonly declaration: Declaration }
  | { readonly kind: 'expression'; readonly expression: Expression | null }
  | {
      /** With all that follows by `else if`: chains are long where programs are generated. */
      readonly kind: 'if';
      readonly branches: readonly { readonly test: Expression; readonly body: Statement }[];
      readonly otherwise: Statement | null;
    }
  | { readonly kind: 'while'; readonly test: Expression; readonly body: Statement }
  | { readonly kind: 'do'; readonly test: Expression; readonly body: Statement }
  | {
      readonly kind: 'for';
      readonly start: Statement | null;
      readonly test: Expression | null;
      readonly step: Expression | null;
      readonly body: Statement;
    }
  | { readonly kind: 'switch'; readonly value: Expression; readonly body: Statement }
  /** `case value:` or, with null, `default:`; the statements after it are in its body. */
  | {
      readonly kind: 'case';
      readonly value: Expression | null;
      readonly upTo: Expression | null;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'label'; readonly name: string; readonly body: Statement | null }
  /** GNU C: labels of the block alone. */
  | { readonly kind: 'labels'; readonly names: readonly string[] }
  | { readonly kind: 'goto'; readonly label: string }
  /** GNU C: to the label whose address that is. */
  | { readonly kind: 'computed-goto'; readonly to: Expression }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'return'; readonly value: Expression | null }
  | { readonly kind: 'asm' }
);

export type Expression = { readonly span: Span } & (
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'character'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly op: '-' | '+' | '!' | '~' | '*' | '&'; readonly arg: Expression }
  /** GNU C's `&&label`. */
  | { readonly kind: 'label-address'; readonly label: string }
  | { readonly kind: 'update'; readonly op: '++' | '--'; readonly prefix: boolean; readonly arg: Expression }
  | { readonly kind: 'binary'; readonly op: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'assign'; readonly op: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'conditional';
      readonly test: Expression;
      /** Null for GNU's `a ?: b`, which is a where a is not zero. */
      readonly yes: Expression | null;
      readonly no: Expression;
    }
  | { readonly kind: 'call'; readonly callee: Expression; readonly args: readonly Expression[] }
  | { readonly kind: 'member'; readonly object: Expression; readonly name: string; readonly arrow: boolean }
  | { readonly kind: 'index'; readonly array: Expression; readonly index: Expression }
  | { readonly kind: 'cast'; readonly type: TypeName; readonly arg: Expression }
  | { readonly kind: 'sizeof-type'; readonly type: TypeName }
  | {
      readonly kind: 'offsetof';
      readonly type: TypeName;
      readonly path: readonly (string | Expression)[];
    }
  /** `least`: what a type needs as a member of a struct (`_Alignof`), not what it is given elsewhere. */
  | { readonly kind: 'alignof'; readonly of: Expression | TypeName; readonly least: boolean }
  /** GNU: a block whose last expression is its value. */
  | { readonly kind: 'statements'; readonly body: Statement }
  | {
      readonly kind: 'generic';
      readonly control: Expression;
      /** `default` has no type. */
      readonly choices: readonly { readonly type: TypeName | null; readonly value: Expression }[];
    }
  | { readonly kind: 'va-arg'; readonly list: Expression; readonly type: TypeName }
  | { readonly kind: 'types-compatible'; readonly left: TypeName; readonly right: TypeName }
  | { readonly kind: 'sizeof'; readonly arg: Expression }
  | { readonly kind: 'comma'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'literal'; readonly type: TypeName; readonly value: Expression }
  | { readonly kind: 'list'; readonly items: readonly InitializerItem[] }
);

export interface TypeName {
  readonly type: TypeSpec;
  readonly declarator: Declarator;
}

export type Step =
  | string
  | Expression
  | { readonly kind: 'range'; readonly first: Expression; readonly last: Expression };

export interface InitializerItem {
  /** `.name`, `[index]` or `[first ... last]` steps; empty for the next one in order. */
  readonly path: readonly Step[];
  readonly value: Expression;
}
