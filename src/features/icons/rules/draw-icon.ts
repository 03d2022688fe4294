// Draws an icon on 24 by 24: the main icon with its text, the gaps cut out of them, the under-icon and the badge.

import { formatCssColor, type Color } from '../../../lib/color.ts';
import { formatDocument, element, fragment, formatNumber, type Svg } from '../../../lib/pages/svg.ts';
import { drawBadge, badgeBox } from './badge.ts';
import type { IconComposition, DrawingWithText } from './icon-composition.ts';
import { remainingTextBox, layOutIcon, iconSize, underIconPlacement, type Box, type Placement } from './icon-layout.ts';
import { paintAttributes, strokeWidthAtScale, badgeMaskShape, applyMask, outlineMaskShape } from './mask.ts';
import { fitOutline, layOutText } from './text-outline.ts';

/** Only for raster images; an SVG response has neither a size nor a background. */
export type DrawIconOptions = { readonly size?: number | undefined; readonly background?: Color | undefined };

export function drawIconComposition(composition: IconComposition, { size, background }: DrawIconOptions = {}): string {
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

/** The names, and the count with all digits. */
function formatTitle({ main, under, count }: IconComposition): string {
  const names = under === undefined ? main.name : `${main.name}, ${under.name}`;
  return count === 0n ? names : `${names} (${count})`;
}

type IconSurroundings = {
  /** The boxes that the icon's text must not touch. */
  readonly occupiedBoxes: readonly Box[];
  readonly maskShapes: readonly Svg[];
};

/** Draws an icon with its text in one colour. Its surroundings are cut out of it. */
function drawIconAt(
  placement: Placement,
  { set, drawing, text }: DrawingWithText,
  color: string,
  surroundings?: IconSurroundings,
): Svg {
  const { occupiedBoxes, maskShapes } = surroundings ?? { occupiedBoxes: [], maskShapes: [] };
  const paint = paintAttributes(set, color, strokeWidthAtScale(placement.scale));
  const { textArea } = drawing;
  const textPath =
    textArea === undefined ? undefined : drawTextInBox(remainingTextBox(textArea.box, placement, occupiedBoxes), text);
  if (textArea === undefined || textPath === undefined)
    return applyMask(transformTo(placement, element('g', paint, drawing.plain)), maskShapes);

  const around = element('g', paint, textArea.around);
  // Between strokes the text is painted in their colour; it is cut out of a filled area.
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
