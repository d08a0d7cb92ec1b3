// A model in the fragment of an address: `#m=` and the compressed model, so that it never leaves the browsers of those who share it. What
// comes from a link is a stranger's: sizes are limited before anything is unpacked, and shapes are checked.

import type { Model } from './messages.ts';

export const MOST_CHARACTERS = 500_000;
/** Of the link itself; browsers and mail programs cut off much less. */
const MOST_PACKED = 2_000_000;
const MOST_FILES = 20;

export class BadLink extends Error {}

const bytesOf = (stream: ReadableStream<Uint8Array>): Promise<ArrayBuffer> =>
  new Response(stream as unknown as BodyInit).arrayBuffer();

export async function linkOf(model: Model): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(model));
  const packed = await bytesOf(
    new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')) as never,
  );
  let binary = '';
  for (const byte of new Uint8Array(packed)) binary += String.fromCharCode(byte);
  return `#m=${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** Null when the fragment carries no model. */
export async function modelOf(fragment: string): Promise<Model | null> {
  if (!fragment.startsWith('#m=')) return null;
  const packed = fragment.slice(3);
  if (packed.length > MOST_PACKED) throw new BadLink('the link is too long to be a model');
  try {
    return checked(JSON.parse(await unpacked(packed)));
  } catch (error) {
    throw error instanceof BadLink
      ? error
      : new BadLink('the link is damaged: it does not carry a whole model');
  }
}

/** Unpacks no more than a model may have: a small link can hold a very large text. */
async function unpacked(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length <= MOST_CHARACTERS) continue;
    await reader.cancel();
    throw new BadLink(
      `the model in the link is larger than ${MOST_CHARACTERS.toLocaleString('en')} characters`,
    );
  }
}

function checked(document: unknown): Model {
  const { path, files } = (document ?? {}) as { path?: unknown; files?: unknown };
  if (typeof path !== 'string' || typeof files !== 'object' || files === null || Array.isArray(files))
    throw new BadLink('the link is damaged: it does not carry a model');
  const entries = Object.entries(files);
  if (
    entries.length > MOST_FILES ||
    !entries.every(([name, text]) => isName(name) && typeof text === 'string')
  )
    throw new BadLink('the link does not carry a model: files have odd names, or there are too many');
  if (!Object.hasOwn(files, path)) throw new BadLink('the link is damaged: the model is missing');
  return { path, files: files as Record<string, string> };
}

/** Names of files: no folders above, nothing that could be mistaken for anything else. */
export const isName = (name: string): boolean => /^[\w][\w .+-]{0,79}(\/[\w][\w .+-]{0,79}){0,4}$/.test(name);
