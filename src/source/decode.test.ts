import { expect, test } from 'vitest';
import { decode, escapedByte, withEscapes } from './decode.ts';

const bytes = (...list: number[]) => decode(new Uint8Array(list));
const codes = (text: string) => [...text].map((character) => character.codePointAt(0)!);

test('UTF-8 is read as it is, without the mark at its start', () => {
  const text = 'aé€😀\ufffd';
  expect(decode(new TextEncoder().encode(`\ufeff${text}`))).toBe(text);
});

test('bytes that are no UTF-8 stay what they are', () => {
  expect(codes(bytes(0x63, 0xe9, 0x20)).map((code) => escapedByte(code) ?? code)).toEqual([0x63, 0xe9, 0x20]);
  const broken = [0xff, 0xc0, 0x80, 0xe2, 0x82, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0x80, 0x80, 0xf0, 0x9f];
  expect(codes(bytes(...broken)).map(escapedByte)).toEqual(broken);
  expect(bytes(0xef, 0xbb, 0xbf, 0xe9, 0xc3, 0xa9)).toBe('\u{10ffe9}é');
});

test('the characters that stand for bytes are taken for bytes themselves', () => {
  expect(codes(bytes(0xf4, 0x8f, 0xbe, 0x80)).map(escapedByte)).toEqual([0xf4, 0x8f, 0xbe, 0x80]);
});

test('C says them by their numbers', () => {
  expect(withEscapes(`"caf${bytes(0xe9)}1"`)).toBe('"caf\\3511"');
  expect(withEscapes(`"\\${bytes(0xe9)}"`)).toBe('"\\351"');
  expect(withEscapes(`"\\\\${bytes(0xe9)}"`)).toBe('"\\\\\\351"');
});
