// The progress circle: a hundred places around a ring, from the top clockwise, and a square mark in as many of them as
// `percent` says. The colour of a mark is that of its place, so that nothing changes colour while progress is made.

import { colorAt, type Color } from '../../../lib/color.ts';
import { document, element, rounded, spelled, type Svg } from '../../../lib/svg.ts';
import { colorName, colorNames, fillOf, opacityOf } from '../paint.ts';
import type { Size } from '../parameters.ts';

export type CircleProgress = Size & {
  readonly background: Color;
  readonly colors: readonly Color[];
  /** 0..100. */
  readonly percent: number;
};

export function circleProgressName({ background, colors, percent, width, height }: CircleProgress): string {
  return `progress-${colorName(background)}-${colorNames(colors)}-${percent}-${width}x${height}`;
}

const places = 100;
const turns = Array.from({ length: places }, (_, place) => `rotate(${rounded((place + 0.5) * (360 / places), 1)})`);

export function drawCircleProgress({ background, colors, percent, width, height }: CircleProgress): string {
  const mark = markOf(Math.min(width, height));
  const marks: Svg[] = [];
  for (let place = 0; place < percent; place++) marks.push(mark(place, colorAt(colors, place / (places - 1))));
  return document(
    element(
      'svg',
      { width, height, viewBox: `0 0 ${width} ${height}` },
      // A path, so that the rectangles are the marks and nothing else.
      ...(background.alpha === 0
        ? []
        : [element('path', { d: `M0 0H${width}V${height}H0z`, fill: fillOf(background) })]),
      element('g', { transform: `translate(${width / 2} ${height / 2})` }, ...marks),
    ),
  );
}

/** Draws a mark: a square at the top, turned to its place. */
function markOf(diameter: number): (place: number, color: Color) => Svg {
  const outer = diameter * 0.47;
  // Two thirds of the room a place has; in a small circle more, as a line thinner than this would not be seen.
  const side = Math.max(outer * 0.042, Math.min(2.2, diameter / 9));
  // A hundred marks are alike in these.
  const [x, y, width] = [spelled(-side / 2, 3), spelled(-outer, 3), spelled(side, 3)];
  return (place, color) =>
    element('rect', {
      x,
      y,
      width,
      height: width,
      transform: turns[place],
      fill: fillOf(color),
      'fill-opacity': opacityOf(color),
    });
}
