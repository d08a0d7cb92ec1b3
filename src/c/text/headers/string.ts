// <string.h> and <strings.h>.

import { functions, LOCALE_T, NULL, onlyGnu, SIZE_T } from './pieces.ts';

const TEXT = 'const char *';
const TWO = `${TEXT}, ${TEXT}`;
const COPY = `char *, ${TEXT}`;
const BYTES = 'void *, const void *, size_t';

const GNU = [
  functions('void *', BYTES, 'mempcpy __mempcpy'),
  functions('void *', 'const void *, int, size_t', 'memrchr'),
  functions('void *', 'const void *, int', 'rawmemchr'),
  functions('void *', 'const void *, size_t, const void *, size_t', 'memmem'),
  functions('void *', 'void *, size_t', 'memfrob'),
  functions('char *', `${TEXT}, int`, 'strchrnul'),
  functions('char *', TWO, 'strcasestr'),
  functions('char *', TEXT, 'basename'),
  functions('char *', 'char *', 'strfry'),
  functions('int', TWO, 'strverscmp'),
  functions(TEXT, 'int', 'sigabbrev_np sigdescr_np strerrorname_np strerrordesc_np'),
  functions('char *', 'int, char *, size_t', 'strerror_r'),
].join('');

export const STRINGS = [
  '#include <features.h>\n#define _STRINGS_H 1\n',
  SIZE_T,
  LOCALE_T,
  functions('int', 'const void *, const void *, size_t', 'bcmp'),
  functions('void', 'const void *, void *, size_t', 'bcopy'),
  functions('void', 'void *, size_t', 'bzero'),
  functions('char *', `${TEXT}, int`, 'index rindex'),
  functions('int', 'int', 'ffs'),
  functions('int', 'long', 'ffsl'),
  functions('int', 'long long', 'ffsll'),
  functions('int', TWO, 'strcasecmp'),
  functions('int', `${TWO}, size_t`, 'strncasecmp'),
  functions('int', `${TWO}, locale_t`, 'strcasecmp_l'),
  functions('int', `${TWO}, size_t, locale_t`, 'strncasecmp_l'),
].join('');

export const STRING = [
  '#include <features.h>\n#define _STRING_H 1\n',
  NULL,
  SIZE_T,
  '#include <strings.h>\n',
  functions('void *', BYTES, 'memcpy memmove'),
  functions('void *', 'void *, const void *, int, size_t', 'memccpy'),
  functions('void *', 'void *, int, size_t', 'memset'),
  functions('void', 'void *, size_t', 'explicit_bzero'),
  functions('int', 'const void *, const void *, size_t', 'memcmp __memcmpeq'),
  functions('void *', 'const void *, int, size_t', 'memchr'),
  functions('char *', COPY, 'strcpy strcat stpcpy __stpcpy strtok'),
  functions('char *', `${COPY}, size_t`, 'strncpy strncat stpncpy __stpncpy'),
  functions('int', TWO, 'strcmp strcoll'),
  functions('int', `${TWO}, size_t`, 'strncmp'),
  functions('int', `${TWO}, locale_t`, 'strcoll_l'),
  functions('size_t', `${COPY}, size_t`, 'strxfrm'),
  functions('size_t', `${COPY}, size_t, locale_t`, 'strxfrm_l'),
  functions('char *', TEXT, 'strdup'),
  functions('char *', `${TEXT}, size_t`, 'strndup'),
  functions('char *', `${TEXT}, int`, 'strchr strrchr'),
  functions('char *', TWO, 'strpbrk strstr'),
  functions('size_t', TWO, 'strspn strcspn'),
  functions('char *', `${COPY}, char **`, 'strtok_r __strtok_r'),
  functions('char *', `char **, ${TEXT}`, 'strsep'),
  functions('size_t', TEXT, 'strlen'),
  functions('size_t', `${TEXT}, size_t`, 'strnlen'),
  functions('char *', 'int', 'strerror strsignal'),
  functions('char *', 'int, locale_t', 'strerror_l'),
  `#ifndef _GNU_SOURCE\n${functions('int', 'int, char *, size_t', 'strerror_r')}#endif\n`,
  onlyGnu(GNU),
].join('');
