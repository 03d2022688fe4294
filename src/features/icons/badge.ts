// The badge: a red capsule in the upper right corner with a count in white digits.

import { element, fragment, spelled, type Svg } from '../../lib/svg.ts';
import { side } from './layout.ts';
import type { Box } from './sets.ts';
import { capHeight, outlineOf } from './text.ts';

const red = '#d32f2f';
const height = 11;
const digitHeight = 6.8;
/** What each of the first digits adds to a capsule that is as wide as it is high. */
const widening = 4.4;
const roomy = 3;
/** A signed 64-bit integer has no more digits than this, with which the capsule is as wide as the picture. */
const most = 19;

/** At the right edge; wider with every digit, at the same height. */
export function capsuleOf(count: bigint): Box {
  const digits = `${count}`.length;
  const width = digits <= roomy ? height + widening * (digits - 1) : side - (most - digits) / 8;
  return [side - width, 0, width, height];
}

export function badge(count: bigint): Svg {
  const [x, y, width] = capsuleOf(count);
  return fragment(
    element('rect', { x, y, width, height, rx: height / 2, fill: red }),
    element('path', { fill: '#fff', ...digitsIn(`${count}`, x, width) }),
  );
}

/** Digits that have to be narrower become a little lower as well, so that their strokes stay alike. */
function digitsIn(digits: string, x: number, width: number): { transform: string; d: string } | undefined {
  const outline = outlineOf(digits);
  if (outline === undefined) return undefined;
  const { path, left, right } = outline;
  const margin = digits.length <= roomy ? 2 : 1.6;
  const natural = digitHeight / capHeight;
  const scaleX = Math.min(natural, (width - 2 * margin) / (right - left));
  const scaleY = Math.sqrt(natural * scaleX);
  const moveX = x + width / 2 - (scaleX * (left + right)) / 2;
  const moveY = height / 2 + (scaleY * capHeight) / 2;
  const numbers = [scaleX, 0, 0, scaleY, moveX, moveY].map((number) => spelled(number, 7));
  return { transform: `matrix(${numbers.join(' ')})`, d: path };
}
