// Draws an icon's picture on 24 by 24: main icon and text, what is cut out of them, under-icon and badge.

import { cssColor, type Color } from '../../lib/color.ts';
import type { IconKid } from '../../lib/icon-kid.ts';
import { document, element, fragment, spelled, type Svg } from '../../lib/svg.ts';
import { badge, capsuleOf } from './badge.ts';
import { capsuleCut, cutOut, outlineCut } from './cut.ts';
import { clearBox, layoutOf, side, underPlace, type Place } from './layout.ts';
import { pictureOf, type Picture, type Shown } from './picture.ts';
import { paintOf, strokeAt, type Box, type IconSet } from './sets.ts';
import { fitted, outlineOf } from './text.ts';

/** What a raster image needs beyond the drawing; the SVG that is answered as such has neither. */
export type Canvas = { readonly size?: number | undefined; readonly background?: Color | undefined };

/** The SVG of an icon; undefined where no set has it. */
export function drawIcon(
  icon: IconKid,
  { set, day, ...canvas }: Canvas & { readonly set: IconSet; readonly day: number },
): string | undefined {
  const picture = pictureOf(icon, set, day);
  return picture === undefined ? undefined : drawPicture(picture, canvas);
}

export function drawPicture(picture: Picture, { size, background }: Canvas = {}): string {
  const { main, under, count } = picture;
  const color = cssColor(ofRgb(picture.color));
  const capsule = count === 0n ? undefined : capsuleOf(count);
  const layout = layoutOf({ under: under !== undefined, badge: capsule });
  const cuts = [
    ...(under === undefined ? [] : [placed(underPlace, outlineCut(under, underPlace.scale))]),
    ...(capsule === undefined ? [] : [capsuleCut(capsule)]),
  ];

  const parts = [element('title', {}, titleOf(picture))];
  if (background !== undefined) parts.push(element('rect', { width: side, height: side, fill: cssColor(background) }));
  parts.push(iconAt(layout.main, main, color, { taken: layout.taken, cuts }));
  if (under !== undefined) parts.push(iconAt(underPlace, under, color));
  if (count !== 0n) parts.push(badge(count));
  return document(element('svg', { viewBox: `0 0 ${side} ${side}`, width: size, height: size }, ...parts));
}

/** Names, and the count in full. */
function titleOf({ main, under, count }: Picture): string {
  const names = under === undefined ? main.name : `${main.name}, ${under.name}`;
  return count === 0n ? names : `${names} (${count})`;
}

type Room = {
  /** What its text keeps clear of. */
  readonly taken: readonly Box[];
  readonly cuts: readonly Svg[];
};

/** An icon with its text, in one colour, with room for what stands beside it. */
function iconAt(place: Place, { set, drawing, text }: Shown, color: string, room?: Room): Svg {
  const { taken, cuts } = room ?? { taken: [], cuts: [] };
  const paint = paintOf(set, color, strokeAt(place.scale));
  const label = drawing.label;
  const written = label === undefined ? undefined : textIn(clearBox(label.box, place, taken), text);
  if (label === undefined || written === undefined)
    return cutOut(placed(place, element('g', paint, drawing.plain)), cuts);

  const around = element('g', paint, label.around);
  // On strokes text is painted as they are; out of an area it is cut.
  return set === 'line'
    ? cutOut(placed(place, around, element('g', { fill: color }, written)), cuts)
    : cutOut(placed(place, around), [...cuts, placed(place, written)]);
}

function textIn(box: Box, text: string): Svg | undefined {
  const outline = outlineOf(text);
  if (outline === undefined) return undefined;
  const { path, x, y, scale } = fitted(outline, box);
  return element('path', { transform: moved(x, y, scale), d: path });
}

function placed({ x, y, scale }: Place, ...children: readonly Svg[]): Svg {
  if (x === 0 && y === 0 && scale === 1) return fragment(...children);
  return element('g', { transform: moved(x, y, scale) }, ...children);
}

const moved = (x: number, y: number, scale: number): string =>
  `translate(${spelled(x, 3)} ${spelled(y, 3)}) scale(${spelled(scale, 7)})`;

const ofRgb = (rgb: number): Color => ({ red: rgb >> 16, green: (rgb >> 8) & 0xff, blue: rgb & 0xff, alpha: 1 });
