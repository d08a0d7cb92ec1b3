// The examples, put in by the build from web/examples.json and the files of the corpus that it names.

export interface Example {
  readonly group: string;
  readonly title: string;
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
}

declare const SPILLWAY_EXAMPLES: readonly Example[];
export const EXAMPLES: readonly Example[] = SPILLWAY_EXAMPLES;
