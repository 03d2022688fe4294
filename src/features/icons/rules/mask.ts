// What is cut out of a drawing, so that the ground shows there: text out of areas, and around under-icon and badge a gap
// of the main icon.

import { element, fragment, type Svg } from '../../../lib/svg.ts';
import { gapWidth, expandBox, iconSize } from './icon-layout.ts';
import { strokeWidthAtScale, type Box, type DrawingOfSet } from '../icon-sets.ts';

/** A badge, with its gap. */
export function badgeMaskShape(badge: Box): Svg {
  const [x, y, width, height] = expandBox(badge, gapWidth);
  return element('rect', { x, y, width, height, rx: height / 2 });
}

/**
 * An icon, with its gap, at its own size before it is shrunk to `scale`. It follows the outline: a rectangle around it
 * would take more of the main icon than that can spare.
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

/** What is black in the mask is not painted, so that whatever lies under the picture shows there. */
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

/** FNV-1a: where several pictures stand in one page, a mask of the same name is the same mask. */
function fnv1aHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
