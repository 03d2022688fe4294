// Reads the packaged glyphs, and finds the glyph of a character.

import { readFileSync } from 'node:fs';

type BlankGlyph = readonly [advance: number];
type OutlineGlyph = readonly [
  advance: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  x: number,
  y: number,
  path: string,
];

/** Lengths are in units of the font, y downwards from the baseline. The path starts at x and y. */
type Glyph = BlankGlyph | OutlineGlyph;

type GlyphFile = { unitsPerEm: number; capHeight: number; missing: Glyph; glyphs: Record<string, Glyph> };

const glyphFile = new URL('../../../../assets/icons/glyphs.json', import.meta.url);
const {
  capHeight,
  missing: missingGlyph,
  glyphs: glyphsByHex,
} = JSON.parse(readFileSync(glyphFile, 'utf8')) as GlyphFile;
const glyphByCodePoint: ReadonlyMap<number, Glyph> = new Map(
  Object.entries(glyphsByHex).map(([code, glyph]) => [Number.parseInt(code, 16), glyph]),
);

export { capHeight };

const spaceGlyph: Glyph = glyphByCodePoint.get(0x20) ?? [0];
const emptyGlyph: Glyph = [0];

/** The glyph of a code point. A character that the font does not have is a box. */
export function findGlyph(character: string): Glyph {
  const glyph = glyphByCodePoint.get(character.codePointAt(0) ?? 0);
  if (glyph !== undefined) return glyph;
  // A combining mark belongs to the letter before it; joiners and variation selectors have no glyph.
  if (/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character)) return emptyGlyph;
  return /\p{Z}/u.test(character) ? spaceGlyph : missingGlyph;
}
