// What a client can say about how the server works: at the start (`initializationOptions`) and later (`workspace/didChangeConfiguration`).

export interface Settings {
  /** When a model is checked: at opening and saving (default), also after a pause while typing, or only when asked. */
  readonly check: 'save' | 'type' | 'off';
  /** Seconds for a check. */
  readonly timeout: number;
  /** As after -D and -I. */
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  /** The client has the command `spillway.debugRun`. */
  readonly debugger: boolean;
}

export const DEFAULTS: Settings = { check: 'save', timeout: 20, defines: [], includes: [], debugger: false };

/** What cannot be understood stays as it was. */
export function settingsFrom(given: unknown, before: Settings = DEFAULTS): Settings {
  const all = isRecord(given) ? (isRecord(given['spillway']) ? given['spillway'] : given) : {};
  const { check, timeout, defines, includes } = all;
  const texts = (value: unknown, otherwise: readonly string[]): readonly string[] =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'string') : otherwise;
  return {
    check: check === 'save' || check === 'type' || check === 'off' ? check : before.check,
    timeout: typeof timeout === 'number' && timeout > 0 ? timeout : before.timeout,
    defines: texts(defines, before.defines),
    includes: texts(includes, before.includes),
    debugger: typeof all['debugger'] === 'boolean' ? all['debugger'] : before.debugger,
  };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
