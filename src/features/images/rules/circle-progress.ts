// The progress circle: a hundred places around a ring, from the top clockwise, and a square mark in as many of them as
// `percent` says. The colour of a mark is that of its place, so that nothing changes colour while progress is made.

import { colorAt, type Color } from '../../../lib/color.ts';
import { formatDocument, element, roundTo, formatNumber, type Svg } from '../../../lib/svg.ts';
import { formatColorKey, formatColorsKey, formatFill, formatFillOpacity } from './svg-colors.ts';
import type { ImageSize } from './image-parameters.ts';

export type CircleProgress = ImageSize & {
  readonly background: Color;
  readonly colors: readonly Color[];
  /** 0..100. */
  readonly percent: number;
};

export function formatCircleProgressKey({ background, colors, percent, width, height }: CircleProgress): string {
  return `progress-${formatColorKey(background)}-${formatColorsKey(colors)}-${percent}-${width}x${height}`;
}

const markCount = 100;
const rotationByMark = Array.from(
  { length: markCount },
  (_, place) => `rotate(${roundTo((place + 0.5) * (360 / markCount), 1)})`,
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
      // A path, so that the rectangles are the marks and nothing else.
      ...(background.alpha === 0
        ? []
        : [element('path', { d: `M0 0H${width}V${height}H0z`, fill: formatFill(background) })]),
      element('g', { transform: `translate(${width / 2} ${height / 2})` }, ...marks),
    ),
  );
}

/** Draws a mark: a square at the top, turned to its place. */
function createMarkDrawer(diameter: number): (place: number, color: Color) => Svg {
  const outer = diameter * 0.47;
  // Two thirds of the room a place has; in a small circle more, as a line thinner than this would not be seen.
  const side = Math.max(outer * 0.042, Math.min(2.2, diameter / 9));
  // A hundred marks are alike in these.
  const [x, y, width] = [formatNumber(-side / 2, 3), formatNumber(-outer, 3), formatNumber(side, 3)];
  return (place, color) =>
    element('rect', {
      x,
      y,
      width,
      height: width,
      transform: rotationByMark[place],
      fill: formatFill(color),
      'fill-opacity': formatFillOpacity(color),
    });
}
