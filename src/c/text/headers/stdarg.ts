// <stdarg.h>: everything in it is the compiler's.

export const STDARG = `#define _STDARG_H
typedef __builtin_va_list __gnuc_va_list;
typedef __builtin_va_list va_list;
#define va_start(LIST, LAST) __builtin_va_start(LIST, LAST)
#define va_end(LIST) __builtin_va_end(LIST)
#define va_arg(LIST, TYPE) __builtin_va_arg(LIST, TYPE)
#define va_copy(TO, FROM) __builtin_va_copy(TO, FROM)
#define __va_copy(TO, FROM) __builtin_va_copy(TO, FROM)
`;
