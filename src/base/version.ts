/** Kept equal to package.json by a test. */
export const VERSION = '0.1.0';

/** A fingerprint of the sources, put in where Spillway is bundled. */
declare const SPILLWAY_SOURCES: string | undefined;

/** The version, and which sources it was built from: answers of another build are not this one's. */
export const BUILD: string =
  typeof SPILLWAY_SOURCES === 'undefined' ? VERSION : `${VERSION}+${SPILLWAY_SOURCES}`;
