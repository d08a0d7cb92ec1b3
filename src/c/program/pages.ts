// Where the bytes of an object lie that may be very large and of which few are used: in pages, each made behind all other memory where it is first needed. Pages stay where they
// are, so that what is remembered of the memory can be put back: a page that was not there yet holds zeros.

import type { MemoryObject } from './program.ts';

export const PAGE = 512;
/** Of all pages together: what needs more is not followed. */
const MOST_BYTES = 1 << 26;

export class Pages {
  private readonly known = new Map<number, Map<number, number>>();
  private readonly bytes: number;
  /** Where the next page will lie. */
  private end: number;
  private readonly last: number;

  /** `first`: what lies before; `copies`: how often each page is there, one behind the other. */
  constructor(first: number, copies: number) {
    this.end = first;
    this.last = first + MOST_BYTES;
    this.bytes = PAGE * copies;
  }

  /** Bytes of memory that are in use. */
  get used(): number {
    return this.end;
  }

  /** Of a byte; null where there are too many pages. */
  placeOf(object: MemoryObject, offset: number): number | null {
    const page = Math.floor(offset / PAGE);
    let pages = this.known.get(object.id);
    if (pages === undefined) this.known.set(object.id, (pages = new Map()));
    let place = pages.get(page);
    if (place === undefined) {
      if (this.end >= this.last) return null;
      place = this.end;
      pages.set(page, place);
      this.end += this.bytes;
    }
    return place + (offset - page * PAGE);
  }

  /** Of a byte, for whoever only looks; null where its page is not there yet, and would hold zeros. */
  found(object: MemoryObject, offset: number): number | null {
    const page = Math.floor(offset / PAGE);
    const place = this.known.get(object.id)?.get(page);
    return place === undefined ? null : place + (offset - page * PAGE);
  }

  /** The pages of an object. */
  of(object: MemoryObject): Iterable<number> {
    return this.known.get(object.id)?.values() ?? [];
  }
}

/** Do the bytes lie in one page? */
export const isInOnePage = (offset: number, bytes: number): boolean => (offset % PAGE) + bytes <= PAGE;
