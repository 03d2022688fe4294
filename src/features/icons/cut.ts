// What is cut out of a drawing, so that the ground shows there: text out of areas, and around under-icon and badge a gap
// of the main icon.

import { element, fragment, type Svg } from '../../lib/svg.ts';
import { gap, grown, side } from './layout.ts';
import { strokeAt, type Box, type Found } from './sets.ts';

/** A badge, with its gap. */
export function capsuleCut(badge: Box): Svg {
  const [x, y, width, height] = grown(badge, gap);
  return element('rect', { x, y, width, height, rx: height / 2 });
}

/**
 * An icon, with its gap, at its own size before it is shrunk to `scale`. It follows the outline: a rectangle around it
 * would take more of the main icon than that can spare.
 */
export function outlineCut({ set, drawing }: Found, scale: number): Svg {
  const paint = {
    stroke: '#000',
    'stroke-width': (set === 'line' ? strokeAt(scale) : 0) + (2 * gap) / scale,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  };
  return element('g', paint, drawing.label?.around ?? drawing.plain);
}

/** What is black in the mask is not painted, so that whatever lies under the picture shows there. */
export function cutOut(drawing: Svg, cuts: readonly Svg[]): Svg {
  if (cuts.length === 0) return drawing;
  const all = { width: side, height: side };
  const shapes = fragment(element('rect', { ...all, fill: '#fff' }), ...cuts);
  const id = `cut-${checksum(shapes.markup)}`;
  return fragment(
    element('mask', { id, maskUnits: 'userSpaceOnUse', x: 0, y: 0, ...all }, shapes),
    element('g', { mask: `url(#${id})` }, drawing),
  );
}

/** FNV-1a: where several pictures stand in one page, a mask of the same name is the same mask. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
