/** Digits in groups of three: 1,234,567. By hand, because the first use of the platform's own takes 20 ms. */
export function counted(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
