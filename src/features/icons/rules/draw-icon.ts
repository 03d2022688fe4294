// Draws an icon on 24 by 24: the main icon with its text, the gaps cut out of them, the under-icon and the badge.

import type { DrawingOfSet, IconSet } from '../assets/icon-sets.ts';
import { drawBadge, badgeBox } from './badge.ts';
import type { IconComposition, DrawingWithText } from './icon-composition.ts';
import {
  remainingTextBox,
  layOutIcon,
  iconSize,
  underIconPlacement,
  type Box,
  type Placement,
  gapWidth,
  expandBox,
} from './icon-layout.ts';
import { fitOutline, layOutText } from './text-outline.ts';
import { formatCssColor, type Color } from '../../../lib/color.ts';
import {
  formatDocument,
  element,
  fragment,
  formatNumber,
  type Svg,
  roundTo,
  type Attributes,
} from '../../../lib/pages/svg.ts';

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

/** The shape of a badge and the gap around it. */
function badgeMaskShape(badge: Box): Svg {
  const [x, y, width, height] = expandBox(badge, gapWidth);
  return element('rect', { x, y, width, height, rx: height / 2 });
}

/**
 * The shape of an under-icon and the gap around it, at full size, before it is scaled by `scale`. It follows the outline,
 * because a rectangle would hide too much of the main icon.
 */
function outlineMaskShape({ set, drawing }: DrawingOfSet, scale: number): Svg {
  const paint = {
    stroke: '#000',
    'stroke-width': (set === 'line' ? strokeWidthAtScale(scale) : 0) + (2 * gapWidth) / scale,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  };
  return element('g', paint, drawing.textArea?.around ?? drawing.plain);
}

/** The black parts of a mask are not painted, so that the background is visible there. */
function applyMask(drawing: Svg, maskShapes: readonly Svg[]): Svg {
  if (maskShapes.length === 0) return drawing;
  const all = { width: iconSize, height: iconSize };
  const shapes = fragment(element('rect', { ...all, fill: '#fff' }), ...maskShapes);
  const id = `cut-${fnv1aHash(shapes.markup)}`;
  return fragment(
    element('mask', { id, maskUnits: 'userSpaceOnUse', x: 0, y: 0, ...all }, shapes),
    element('g', { mask: `url(#${id})` }, drawing),
  );
}

/** FNV-1a. In a page with several images, masks with the same id have the same shapes. */
function fnv1aHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** `line` is drawn with strokes, `g` with filled areas. */
function paintAttributes(set: IconSet, color: string, strokeWidth: number): Attributes {
  if (set === 'g') return { fill: color };
  return {
    fill: 'none',
    stroke: color,
    'stroke-width': strokeWidth,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  };
}

/** 2 at full size. A smaller drawing gets a relatively thicker stroke, so that it stays visible. */
const strokeWidthAtScale = (scale: number): number => roundTo(2 * scale ** -0.55, 3);
