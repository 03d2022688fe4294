// Draws an icon's picture on 24 by 24: main icon and text, what is cut out of them, under-icon and badge.

import { formatCssColor, type Color } from '../../../lib/color.ts';
import type { IconKid } from '../../../lib/icon-kid.ts';
import { formatDocument, element, fragment, formatNumber, type Svg } from '../../../lib/svg.ts';
import { drawBadge, badgeBox } from './badge.ts';
import { badgeMaskShape, applyMask, outlineMaskShape } from './mask.ts';
import { remainingTextBox, layOutIcon, iconSize, underIconPlacement, type Placement } from './icon-layout.ts';
import { composeIcon, type IconComposition, type DrawingWithText } from './icon-composition.ts';
import { paintAttributes, strokeWidthAtScale, type Box, type IconSet } from '../icon-sets.ts';
import { fitOutline, layOutText } from './text-outline.ts';

/** What a raster image needs beyond the drawing; the SVG that is answered as such has neither. */
export type RasterOptions = { readonly size?: number | undefined; readonly background?: Color | undefined };

/** The SVG of an icon; undefined where no set has it. */
export function drawIcon(
  icon: IconKid,
  { set, day, ...canvas }: RasterOptions & { readonly set: IconSet; readonly day: number },
): string | undefined {
  const picture = composeIcon(icon, set, day);
  return picture === undefined ? undefined : drawIconComposition(picture, canvas);
}

export function drawIconComposition(composition: IconComposition, { size, background }: RasterOptions = {}): string {
  const { main, under, count } = composition;
  const color = formatCssColor(rgbToColor(composition.color));
  const badge = count === 0n ? undefined : badgeBox(count);
  const layout = layOutIcon({ under: under !== undefined, badge });
  const maskShapes = [
    ...(under === undefined
      ? []
      : [transformTo(underIconPlacement, outlineMaskShape(under, underIconPlacement.scale))]),
    ...(badge === undefined ? [] : [badgeMaskShape(badge)]),
  ];

  const parts = [element('title', {}, formatTitle(composition))];
  if (background !== undefined)
    parts.push(element('rect', { width: iconSize, height: iconSize, fill: formatCssColor(background) }));
  parts.push(drawIconAt(layout.main, main, color, { occupiedBoxes: layout.occupiedBoxes, maskShapes }));
  if (under !== undefined) parts.push(drawIconAt(underIconPlacement, under, color));
  if (count !== 0n) parts.push(drawBadge(count));
  return formatDocument(
    element('svg', { viewBox: `0 0 ${iconSize} ${iconSize}`, width: size, height: size }, ...parts),
  );
}

/** Names, and the count in full. */
function formatTitle({ main, under, count }: IconComposition): string {
  const names = under === undefined ? main.name : `${main.name}, ${under.name}`;
  return count === 0n ? names : `${names} (${count})`;
}

type IconSurroundings = {
  /** What its text keeps clear of. */
  readonly occupiedBoxes: readonly Box[];
  readonly maskShapes: readonly Svg[];
};

/** An icon with its text, in one colour, with room for what stands beside it. */
function drawIconAt(
  placement: Placement,
  { set, drawing, text }: DrawingWithText,
  color: string,
  surroundings?: IconSurroundings,
): Svg {
  const { occupiedBoxes, maskShapes } = surroundings ?? { occupiedBoxes: [], maskShapes: [] };
  const paint = paintAttributes(set, color, strokeWidthAtScale(placement.scale));
  const label = drawing.textArea;
  const textPath =
    label === undefined ? undefined : drawTextInBox(remainingTextBox(label.box, placement, occupiedBoxes), text);
  if (label === undefined || textPath === undefined)
    return applyMask(transformTo(placement, element('g', paint, drawing.plain)), maskShapes);

  const around = element('g', paint, label.around);
  // On strokes text is painted as they are; out of an area it is cut.
  return set === 'line'
    ? applyMask(transformTo(placement, around, element('g', { fill: color }, textPath)), maskShapes)
    : applyMask(transformTo(placement, around), [...maskShapes, transformTo(placement, textPath)]);
}

function drawTextInBox(box: Box, text: string): Svg | undefined {
  const outline = layOutText(text);
  if (outline === undefined) return undefined;
  const { path, x, y, scale } = fitOutline(outline, box);
  return element('path', { transform: formatTransform(x, y, scale), d: path });
}

function transformTo({ x, y, scale }: Placement, ...children: readonly Svg[]): Svg {
  if (x === 0 && y === 0 && scale === 1) return fragment(...children);
  return element('g', { transform: formatTransform(x, y, scale) }, ...children);
}

const formatTransform = (x: number, y: number, scale: number): string =>
  `translate(${formatNumber(x, 3)} ${formatNumber(y, 3)}) scale(${formatNumber(scale, 7)})`;

const rgbToColor = (rgb: number): Color => ({ red: rgb >> 16, green: (rgb >> 8) & 0xff, blue: rgb & 0xff, alpha: 1 });
