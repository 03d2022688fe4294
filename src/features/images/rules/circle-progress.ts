// Draws the progress circle: `percent` of 100 square marks around a ring, clockwise from the top. The colour of a mark
// follows from its position, so that it does not change when the percentage grows.

import { colorAt, type Color } from '../../../lib/color.ts';
import { formatDocument, element, roundTo, formatNumber, type Svg } from '../../../lib/pages/svg.ts';
import { formatColorKey, formatColorsKey, formatFill, formatFillOpacity } from './svg-colors.ts';
import type { ImageSize } from './image-parameters.ts';

export type CircleProgress = ImageSize & {
  readonly background: Color;
  readonly colors: readonly Color[];
  /** 0..100. */
  readonly percent: number;
};

export const formatCircleProgressKey = ({ background, colors, percent, width, height }: CircleProgress): string =>
  `progress-${formatColorKey(background)}-${formatColorsKey(colors)}-${percent}-${width}x${height}`;

const markCount = 100;
const rotationByMark = Array.from(
  { length: markCount },
  (_, markIndex) => `rotate(${roundTo((markIndex + 0.5) * (360 / markCount), 1)})`,
);

export function drawCircleProgress({ background, colors, percent, width, height }: CircleProgress): string {
  const drawMark = createMarkDrawer(Math.min(width, height));
  const marks: Svg[] = [];
  for (let markIndex = 0; markIndex < percent; markIndex++)
    marks.push(drawMark(markIndex, colorAt(colors, markIndex / (markCount - 1))));
  return formatDocument(
    element(
      'svg',
      { width, height, viewBox: `0 0 ${width} ${height}` },
      // The background is a path, so that every `rect` is a mark.
      ...(background.alpha === 0
        ? []
        : [element('path', { d: `M0 0H${width}V${height}H0z`, fill: formatFill(background) })]),
      element('g', { transform: `translate(${width / 2} ${height / 2})` }, ...marks),
    ),
  );
}

/** Returns a function that draws a mark: a square at the top, rotated to its position. */
function createMarkDrawer(diameter: number): (markIndex: number, color: Color) => Svg {
  const outer = diameter * 0.47;
  // Two thirds of the space of a position. In a small circle more, because a thinner line would be invisible.
  const side = Math.max(outer * 0.042, Math.min(2.2, diameter / 9));
  // All marks have this size.
  const [x, y, width] = [formatNumber(-side / 2, 3), formatNumber(-outer, 3), formatNumber(side, 3)];
  return (markIndex, color) =>
    element('rect', {
      x,
      y,
      width,
      height: width,
      transform: rotationByMark[markIndex],
      fill: formatFill(color),
      'fill-opacity': formatFillOpacity(color),
    });
}
