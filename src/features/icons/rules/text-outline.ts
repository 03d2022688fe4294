// Converts text to outlines of the packaged glyphs, so that it looks the same on every machine. One glyph per code point,
// left to right: scripts that need shaping are not in the font, and are drawn as boxes.

import { capHeight, findGlyph } from '../assets/glyphs.ts';
import type { Box } from './icon-layout.ts';

/** An outline and its bounding box, in units of the font, y downwards from the baseline. */
type TextOutline = {
  readonly path: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** An outline scaled and moved into a box: a point is drawn at `x + scale * itsX`, and likewise for y. */
type FittedOutline = { readonly path: string; readonly x: number; readonly y: number; readonly scale: number };

/** Whether any character of a text is visible. */
export function isVisibleText(text: string): boolean {
  for (const character of text) if (findGlyph(character).length !== 1) return true;
  return false;
}

/** Undefined if no character is visible. The box is at least as high as a capital, so that `x` is not drawn larger than `X`. */
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

/** Centres the outline in the box, as large as possible. */
export function fitOutline({ path, left, top, right, bottom }: TextOutline, [x, y, width, height]: Box): FittedOutline {
  const scale = Math.min(width / (right - left), height / (bottom - top));
  return {
    path,
    scale,
    x: x + width / 2 - (scale * (left + right)) / 2,
    y: y + height / 2 - (scale * (top + bottom)) / 2,
  };
}
