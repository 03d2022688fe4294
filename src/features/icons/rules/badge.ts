// The badge: a red capsule in the upper right corner with a count in white digits.

import { element, fragment, formatNumber, type Svg } from '../../../lib/svg.ts';
import { iconSize } from './icon-layout.ts';
import type { Box } from '../icon-sets.ts';
import { capHeight, layOutText } from './text-outline.ts';

const badgeColor = '#d32f2f';
const badgeHeight = 11;
const digitHeight = 6.8;
/** What each of the first digits adds to a capsule that is as wide as it is high. */
const widthPerDigit = 4.4;
const maxUnshrunkDigits = 3;
/** A signed 64-bit integer has no more digits than this, with which the capsule is as wide as the picture. */
const maxDigits = 19;

/** At the right edge; wider with every digit, at the same height. */
export function badgeBox(count: bigint): Box {
  const digits = `${count}`.length;
  const width =
    digits <= maxUnshrunkDigits ? badgeHeight + widthPerDigit * (digits - 1) : iconSize - (maxDigits - digits) / 8;
  return [iconSize - width, 0, width, badgeHeight];
}

export function drawBadge(count: bigint): Svg {
  const [x, y, width] = badgeBox(count);
  return fragment(
    element('rect', { x, y, width, height: badgeHeight, rx: badgeHeight / 2, fill: badgeColor }),
    element('path', { fill: '#fff', ...fitDigits(`${count}`, x, width) }),
  );
}

/** Digits that have to be narrower become a little lower as well, so that their strokes stay alike. */
function fitDigits(digits: string, x: number, width: number): { transform: string; d: string } | undefined {
  const outline = layOutText(digits);
  if (outline === undefined) return undefined;
  const { path, left, right } = outline;
  const margin = digits.length <= maxUnshrunkDigits ? 2 : 1.6;
  const natural = digitHeight / capHeight;
  const scaleX = Math.min(natural, (width - 2 * margin) / (right - left));
  const scaleY = Math.sqrt(natural * scaleX);
  const moveX = x + width / 2 - (scaleX * (left + right)) / 2;
  const moveY = badgeHeight / 2 + (scaleY * capHeight) / 2;
  const numbers = [scaleX, 0, 0, scaleY, moveX, moveY].map((number) => formatNumber(number, 7));
  return { transform: `matrix(${numbers.join(' ')})`, d: path };
}
