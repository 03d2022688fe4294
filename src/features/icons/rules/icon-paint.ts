// Decides how the paths of an icon set are painted: fill or stroke, and the width of the stroke.

import { roundTo, type Attributes } from '../../../lib/pages/svg.ts';
import type { IconSet } from '../assets/icon-sets.ts';

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
