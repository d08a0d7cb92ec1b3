// WebAssembly as this machine has it; null where there is none with shared memory (a page that is not isolated from others).

export interface Memory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

export interface Host {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

export interface Variable {
  value: number;
}

export const PAGE = 65536;
/** Of 32-bit addresses. */
export const MOST_PAGES = 65535;

export function wasmHost(): Host | null {
  const { WebAssembly: host, SharedArrayBuffer: shared } = globalThis as unknown as {
    WebAssembly?: Host;
    SharedArrayBuffer?: unknown;
  };
  return host === undefined || shared === undefined ? null : host;
}
