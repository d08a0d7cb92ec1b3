// Expected: proved. GNU C: bit-fields in gcc's places, statement expressions, ranges, builtins, arrays of variable length.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct s { unsigned a : 3, b : 7; unsigned long w : 40; unsigned : 0; char c; };
typedef struct s T;
_Static_assert(sizeof(T) == 16, "size");
int main(void) {
  T x = {0}; x.a = 9; x.b = 100; x.w = 1UL << 39;
  if (x.a != 1 || x.b != 100 || x.w != 1UL << 39) reach_error();
  if (sizeof(T) != 16) reach_error();
  unsigned n = __VERIFIER_nondet_uint();
  int k = __builtin_popcount(n & 7);
  if (k > 3) reach_error();
  int r; if (__builtin_add_overflow(2147483647, 1, &r) != 1 || r != -2147483647 - 1) reach_error();
  int m = ({ int t = 3; t + 1; });
  if (m != 4) reach_error();
  __typeof__(m) q = m ?: 7;
  if (_Generic(q, int: 1, default: 0) != 1) reach_error();
  int arr[] = { [0 ... 3] = 5, [2] = 1 };
  if (arr[1] != 5 || arr[2] != 1 || sizeof arr != 16) reach_error();
  switch (n) { case 1 ... 5: if (n == 0 || n > 5) reach_error(); break; default: break; }
  if ('ab' != 24930) reach_error();
  unsigned v = n % 5 + 1; int vla[v]; vla[v - 1] = 4; if (sizeof vla != v * 4) reach_error();
  return 0;
}
