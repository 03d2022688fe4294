// Paints shapes, and cuts them out of a drawing, so that the background is visible there: text out of filled areas, and a
// gap around under-icon and badge out of the main icon.

import { element, fragment, roundTo, type Svg, type Attributes } from '../../../lib/pages/svg.ts';
import type { DrawingOfSet, IconSet } from '../assets/icon-sets.ts';
import { gapWidth, expandBox, iconSize, type Box } from './icon-layout.ts';

/** The shape of a badge and the gap around it. */
export function badgeMaskShape(badge: Box): Svg {
  const [x, y, width, height] = expandBox(badge, gapWidth);
  return element('rect', { x, y, width, height, rx: height / 2 });
}

/**
 * The shape of an under-icon and the gap around it, at full size, before it is scaled by `scale`. It follows the outline,
 * because a rectangle would hide too much of the main icon.
 */
export function outlineMaskShape({ set, drawing }: DrawingOfSet, scale: number): Svg {
  const paint = {
    stroke: '#000',
    'stroke-width': (set === 'line' ? strokeWidthAtScale(scale) : 0) + (2 * gapWidth) / scale,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  };
  return element('g', paint, drawing.textArea?.around ?? drawing.plain);
}

/** The black parts of a mask are not painted, so that the background is visible there. */
export function applyMask(drawing: Svg, maskShapes: readonly Svg[]): Svg {
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
export function paintAttributes(set: IconSet, color: string, strokeWidth: number): Attributes {
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
export const strokeWidthAtScale = (scale: number): number => roundTo(2 * scale ** -0.55, 3);
