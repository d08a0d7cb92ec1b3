// How the texts of the built-in headers are put together.

const words = (text: string): string[] => text.trim().split(/\s+/);

/** One declaration for each function, so that each is read only where it is used. */
export const functions = (result: string, parameters: string, names: string): string =>
  words(names)
    .map((name) => `extern ${result} ${name}(${parameters});\n`)
    .join('');

/** `NAME VALUE NAME VALUE …`, values without blanks. */
export function constants(text: string): string {
  const parts = words(text);
  return parts.map((name, i) => (i % 2 === 0 ? `#define ${name} ${parts[i + 1]}\n` : '')).join('');
}

export const typedefs = (type: string, names: string): string =>
  words(names)
    .map((name) => `typedef ${type} ${name};\n`)
    .join('');

export const onlyGnu = (text: string): string => `#ifdef _GNU_SOURCE\n${text}#endif\n`;

export const SIZE_T = 'typedef __SIZE_TYPE__ size_t;\n';
export const WCHAR_T = 'typedef __WCHAR_TYPE__ wchar_t;\n';
export const NULL = '#define NULL ((void *)0)\n';
export const LOCALE_T = 'struct __locale_struct;\ntypedef struct __locale_struct *locale_t;\n';
export const TIME_T = typedefs('long', 'time_t');
export const PID_T = typedefs('int', 'pid_t');
export const OFF_T = typedefs('long', 'off_t');
export const SSIZE_T = typedefs('__PTRDIFF_TYPE__', 'ssize_t');

/** Definitions that several headers bring, each once. */
export const SIGSET_T = '#include <bits/sigset.h>\n';
export const TIMESPEC = '#include <bits/timespec.h>\n';
export const DEFINITIONS: readonly (readonly [header: string, text: string])[] = [
  ['bits/sigset.h', 'typedef struct { unsigned long __val[1024 / (8 * sizeof(long))]; } sigset_t;\n'],
  ['bits/timespec.h', `${TIME_T}struct timespec { time_t tv_sec; long tv_nsec; };\n`],
];
