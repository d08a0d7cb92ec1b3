// What the headers know, by name: for functions and types that a program declares nowhere.

import { SYSTEM_HEADERS } from './headers.ts';

export interface LibraryFunction {
  /** As the header writes it. */
  readonly result: string;
  readonly header: string;
  /** gcc knows its type without a declaration. */
  readonly builtIn: boolean;
}

const BUILT_IN = new Set(
  `alloca malloc calloc aligned_alloc realloc memcpy memmove memset memchr mempcpy imaxabs labs llabs fwrite fwrite_unlocked
  strspn strcspn strlen strnlen strftime strcpy strcat stpcpy strncpy strncat stpncpy strdup strndup strchr strrchr strpbrk strstr
  index rindex`.split(/\s+/),
);
/** Of <math.h> gcc knows all but the newest. */
const NOT_BUILT_IN =
  /^(?:next(?:up|down)|fm(?:ax|in)(?:mag|imum\w*)|llogb|u?fromfpx?|(?:get|set)payload\w*|[fd](?:add|sub|mul|div|sqrt|fma))[fl]?$/;

let table: Map<string, LibraryFunction> | null = null;

/** Null for names that are none of a built-in header. */
export function libraryFunction(name: string): LibraryFunction | null {
  table ??= new Map(
    [...SYSTEM_HEADERS].flatMap(([header, text]) =>
      [...text.matchAll(/^extern (?:_Noreturn )?(.+?) (\w+)\(.*\);$/gm)].map(([, result, called]) => [
        called!,
        {
          result: result!,
          header,
          builtIn: BUILT_IN.has(called!) || (header === 'math.h' && !NOT_BUILT_IN.test(called!)),
        },
      ]),
    ),
  );
  return table.get(name) ?? null;
}

export function headerOfType(name: string): string | null {
  const declares = new RegExp(`^typedef .*\\b${name.replaceAll('$', '\\$&')};$`, 'm');
  const found = [...SYSTEM_HEADERS].find(
    ([header, text]) => !header.startsWith('bits/') && declares.test(text),
  );
  return found?.[0] ?? null;
}
