// Draws the badge: a red capsule in the upper right corner with the count in white digits.

import { element, fragment, formatNumber, type Svg } from '../../../lib/pages/svg.ts';
import { capHeight } from '../assets/glyphs.ts';
import { iconSize, type Box } from './icon-layout.ts';
import { layOutText } from './text-outline.ts';

const badgeColor = '#d32f2f';
const badgeHeight = 11;
const digitHeight = 6.8;
/** With one digit the capsule is a circle; the second and the third digit widen it by this. */
const widthPerDigit = 4.4;
const maxUnshrunkDigits = 3;
/** The most digits of a signed 64-bit integer. With them, the capsule is as wide as the image. */
const maxDigits = 19;

/** The box touches the right edge. Every digit makes it wider; the height stays the same. */
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

/** Digits that must be narrower become a little lower as well, so that all their strokes have a similar width. */
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
