// <ctype.h>.

import { functions, LOCALE_T, onlyGnu } from './pieces.ts';

const KINDS =
  'isalnum isalpha iscntrl isdigit islower isgraph isprint ispunct isspace isupper isxdigit isblank';

export const CTYPE = [
  '#include <features.h>\n#define _CTYPE_H 1\n',
  LOCALE_T,
  functions('int', 'int', `${KINDS} tolower toupper isascii toascii _tolower _toupper`),
  functions(
    'int',
    'int, locale_t',
    `${KINDS} tolower toupper __tolower __toupper`.replace(/\w+/g, (name) => `${name}_l`),
  ),
  onlyGnu(functions('int', 'int, int', 'isctype')),
].join('');
