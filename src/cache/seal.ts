// A seal over a text: only who knows the secret can make one (HMAC, RFC 2104, with SHA-256).

import { createHmac, timingSafeEqual } from 'node:crypto';

export const sealOf = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

export function isSealed(text: string, seal: string, secret: string): boolean {
  const right = sealOf(text, secret);
  return seal.length === right.length && timingSafeEqual(Buffer.from(seal), Buffer.from(right));
}
