// Text as outlines of the packaged glyphs, so that it looks alike on every machine. It is laid out by code points, left
// to right; what the font lacks is a box, as it is in scripts that would need more than that.

import { readFileSync } from 'node:fs';
import type { Box } from './sets.ts';

type Blank = readonly [advance: number];
type Inked = readonly [
  advance: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  x: number,
  y: number,
  path: string,
];
type Glyph = Blank | Inked;

/** In units of the font, downwards from the baseline: the outline, and the box that it stands in. */
export type Outline = {
  readonly path: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** An outline moved and evenly shrunk into a box: `x + scale * outline x` and so for y. */
export type Fitted = { readonly path: string; readonly x: number; readonly y: number; readonly scale: number };

type Font = { unitsPerEm: number; capHeight: number; missing: Glyph; glyphs: Record<string, Glyph> };

const file = new URL('../../../assets/icons/glyphs.json', import.meta.url);
const { capHeight, missing, glyphs: packaged } = JSON.parse(readFileSync(file, 'utf8')) as Font;
const glyphs: ReadonlyMap<number, Glyph> = new Map(
  Object.entries(packaged).map(([code, glyph]) => [Number.parseInt(code, 16), glyph]),
);

export { capHeight };

const space: Glyph = glyphs.get(0x20) ?? [0];
const nothing: Glyph = [0];

function glyphOf(character: string): Glyph {
  const glyph = glyphs.get(character.codePointAt(0) ?? 0);
  if (glyph !== undefined) return glyph;
  // A mark belongs to the letter before it, and a joiner or a selector of variants has no picture at all.
  if (/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character)) return nothing;
  return /\p{Z}/u.test(character) ? space : missing;
}

/** Whether anything of a text is seen. */
export function hasInk(text: string): boolean {
  for (const character of text) if (glyphOf(character).length !== 1) return true;
  return false;
}

/** Undefined where nothing of the text has ink. Its box is at least as high as a capital, so that lines look alike. */
export function outlineOf(text: string): Outline | undefined {
  let path = '';
  let pen = 0;
  let [left, top, right, bottom] = [Infinity, -capHeight, -Infinity, 0];
  for (const character of text.normalize('NFC')) {
    const glyph = glyphOf(character);
    if (glyph.length !== 1) {
      const [, glyphLeft, glyphTop, glyphRight, glyphBottom, x, y, rest] = glyph;
      path += `M${pen + x} ${y}${rest}`;
      left = Math.min(left, pen + glyphLeft);
      top = Math.min(top, glyphTop);
      right = Math.max(right, pen + glyphRight);
      bottom = Math.max(bottom, glyphBottom);
    }
    pen += glyph[0];
  }
  return path === '' ? undefined : { path, left, top, right, bottom };
}

/** In the middle of the box, as large as it holds. */
export function fitted({ path, left, top, right, bottom }: Outline, [x, y, width, height]: Box): Fitted {
  const scale = Math.min(width / (right - left), height / (bottom - top));
  return {
    path,
    scale,
    x: x + width / 2 - (scale * (left + right)) / 2,
    y: y + height / 2 - (scale * (top + bottom)) / 2,
  };
}
