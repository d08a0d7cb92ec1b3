// The text of a file. Bytes that are no UTF-8 (sources in Latin-1, say) stay what they are, as the last 128 characters of Unicode's last plane, which nobody
// else uses: compilers copy them into literals.

const FIRST = 0x10ff80;
const AFTER_BACKSLASHES = /(\\*)([\u{10ff80}-\u{10ffff}])/gu;
const ESCAPED = /[\u{10ff80}-\u{10ffff}]/gu;

/** The byte that such a character stands for; null for any other. */
export const escapedByte = (code: number): number | null => (code >= FIRST ? code & 0xff : null);

/** C that says in ASCII which bytes stand in its literals. */
export const withEscapes = (text: string): string =>
  text.replace(AFTER_BACKSLASHES, (_, before: string, character: string) => {
    // One before the byte itself means nothing; before an escape it would.
    const kept = before.slice(before.length % 2);
    return `${kept}\\${(character.codePointAt(0)! & 0xff).toString(8)}`;
  });

export function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.search(ESCAPED) < 0) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let [text, done] = ['', 0];
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      text += decoder.decode(bytes.subarray(done, at)) + String.fromCodePoint(FIRST - 0x80 + bytes[at]!);
      done = at + 1;
    }
    at += length === 0 ? 1 : length;
  }
  return (text + decoder.decode(bytes.subarray(done))).replace(/^\ufeff/, '');
}

/** In bytes; 0 where no character of UTF-8 begins, or one that stands for a byte. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || first > 0xf4 || at + length > bytes.length) return 0;
  let code = first & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
    code = (code << 6) | (bytes[at + i]! & 0x3f);
  }
  const isTooLong = code < [0, 0, 0x80, 0x800, 0x10000][length]!;
  const isSurrogate = code >= 0xd800 && code < 0xe000;
  return isTooLong || isSurrogate || code >= FIRST ? 0 : length;
}
