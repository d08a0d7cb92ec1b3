// What `__has_attribute`, `__has_builtin` and their like say: attributes as gcc 12 has them, and of its builtins those that are modelled, so that a
// program takes the way that it has for a compiler without the others.

import { hasBuiltin } from './builtins.ts';

const ATTRIBUTES: ReadonlySet<string> = new Set(
  `access alias aligned alloc_align alloc_size always_inline artificial assume_aligned callee_pop_aggregate_return cdecl
  cf_check cleanup cold common const constructor copy deprecated designated_init destructor error externally_visible
  fallthrough fastcall fentry_name fentry_section flatten force_align_arg_pointer format format_arg function_return gcc_struct
  gnu_inline hot ifunc indirect_branch indirect_return interrupt leaf malloc may_alias maybe_unused mode ms_abi
  ms_hook_prologue ms_struct naked no_address_safety_analysis no_caller_saved_registers no_icf no_instrument_function
  no_profile_instrument_function no_reorder no_sanitize no_sanitize_address no_sanitize_coverage no_sanitize_thread
  no_sanitize_undefined no_split_stack no_stack_limit no_stack_protector nocf_check noclone nocommon nodirect_extern_access
  nodiscard noinit noinline noipa nonnull nonstring noplt noreturn nothrow objc_nullability objc_root_class optimize packed
  patchable_function_entry persistent pure regparm retain returns_nonnull returns_twice scalar_storage_order section sentinel
  simd sseregparm stack_protect stdcall symver sysv_abi tainted_args target target_clones thiscall tls_model
  transaction_callable transaction_may_cancel_outer transaction_pure transaction_safe transaction_unsafe transparent_union
  unavailable uninitialized unused used vector_mask vector_size visibility volatile warn_if_not_aligned warn_unused
  warn_unused_result warning weak weakref zero_call_used_regs`.split(/\s+/),
);

/** Of the standard, with the year and month of their last change. */
const OF_C: Readonly<Record<string, number>> = {
  deprecated: 201904,
  fallthrough: 201904,
  maybe_unused: 201904,
  nodiscard: 202003,
};

const bare = (name: string): string => name.replace(/^__(.*)__$/, '$1');

const isGnu = (name: string): boolean => ATTRIBUTES.has(bare(name.replace(/^(__)?gnu(__)?::/, '')));

/** Functions of the library that gcc knows by their own names, too, as long as nothing declares them: what it says then is left open. */
const LIBRARY: ReadonlySet<string> = new Set([
  ...`_Exit _exit abort abs aligned_alloc alloca bcmp bcopy bzero calloc dcgettext dgettext execl execle execlp execv execve
  execvp exit ffs ffsl ffsll fork fprintf fprintf_unlocked fputc fputc_unlocked fputs fputs_unlocked free fscanf fwrite
  fwrite_unlocked gamma_r gettext imaxabs index isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint
  ispunct isspace isupper iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace
  iswupper iswxdigit isxdigit labs lgamma_r llabs malloc memchr memcmp memcpy memmove mempcpy memset posix_memalign printf
  printf_unlocked putc putchar putchar_unlocked puts puts_unlocked realloc rindex scanf snprintf sprintf sscanf stpcpy
  stpncpy strcasecmp strcat strchr strcmp strcpy strcspn strdup strfmon strftime strlen strncasecmp strncat strncmp
  strncpy strndup strnlen strpbrk strrchr strspn strstr toascii tolower toupper towlower towupper vfprintf vfscanf vprintf
  vscanf vsnprintf vsprintf vsscanf`.split(/\s+/),
  ...`acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim floor
  fma fmax fmin fmod frexp gamma hypot ilogb isinf isnan finite signbit j0 j1 jn ldexp lgamma llrint llround log log10
  log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round roundeven
  scalb scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn cabs carg cexp clog conj cpow cproj
  creal cimag csin csqrt ccos ctan csinh ccosh ctanh cacos casin catan cacosh casinh catanh`
    .split(/\s+/)
    .flatMap((name) => [name, `${name}f`, `${name}l`]),
]);

const TESTS = new Map<string, (name: string) => number | null>([
  ['__has_attribute', (name: string) => (isGnu(name) ? 1 : 0)],
  ['__has_builtin', (name: string) => (LIBRARY.has(name) ? null : hasBuiltin(name) ? 1 : 0)],
  ['__has_c_attribute', (name: string) => OF_C[bare(name)] ?? (name.includes('::') && isGnu(name) ? 1 : 0)],
  // The preprocessor itself knows which files there are.
  ['__has_include', () => 1],
  ['__has_include_next', () => 1],
]);

/** Null where there is no such test, or no answer. */
export function hasTest(test: string, name: string): number | null {
  if (test === 'defined') return TESTS.has(name) ? 1 : 0;
  return TESTS.get(test)?.(name) ?? null;
}
