// Text as outlines of the packaged glyphs, so that it looks alike on every machine. It is laid out by code points, left
// to right; what the font lacks is a box, as it is in scripts that would need more than that.

import { readFileSync } from 'node:fs';
import type { Box } from '../icon-sets.ts';

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
type Glyph = BlankGlyph | OutlineGlyph;

/** In units of the font, downwards from the baseline: the outline, and the box that it stands in. */
export type TextOutline = {
  readonly path: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** An outline moved and evenly shrunk into a box: `x + scale * outline x` and so for y. */
export type FittedOutline = { readonly path: string; readonly x: number; readonly y: number; readonly scale: number };

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

function findGlyph(character: string): Glyph {
  const glyph = glyphByCodePoint.get(character.codePointAt(0) ?? 0);
  if (glyph !== undefined) return glyph;
  // A mark belongs to the letter before it, and a joiner or a selector of variants has no picture at all.
  if (/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character)) return emptyGlyph;
  return /\p{Z}/u.test(character) ? spaceGlyph : missingGlyph;
}

/** Whether anything of a text is seen. */
export function isVisibleText(text: string): boolean {
  for (const character of text) if (findGlyph(character).length !== 1) return true;
  return false;
}

/** Undefined where nothing of the text has ink. Its box is at least as high as a capital, so that lines look alike. */
export function layOutText(text: string): TextOutline | undefined {
  let path = '';
  let penX = 0;
  let [left, top, right, bottom] = [Infinity, -capHeight, -Infinity, 0];
  for (const character of text.normalize('NFC')) {
    const glyph = findGlyph(character);
    if (glyph.length !== 1) {
      const [, glyphLeft, glyphTop, glyphRight, glyphBottom, x, y, rest] = glyph;
      path += `M${penX + x} ${y}${rest}`;
      left = Math.min(left, penX + glyphLeft);
      top = Math.min(top, glyphTop);
      right = Math.max(right, penX + glyphRight);
      bottom = Math.max(bottom, glyphBottom);
    }
    penX += glyph[0];
  }
  return path === '' ? undefined : { path, left, top, right, bottom };
}

/** In the middle of the box, as large as it holds. */
export function fitOutline({ path, left, top, right, bottom }: TextOutline, [x, y, width, height]: Box): FittedOutline {
  const scale = Math.min(width / (right - left), height / (bottom - top));
  return {
    path,
    scale,
    x: x + width / 2 - (scale * (left + right)) / 2,
    y: y + height / 2 - (scale * (top + bottom)) / 2,
  };
}
