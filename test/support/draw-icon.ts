// Draws the SVG of an icon KID in one step.

import { composeIcon } from '../../src/features/icons/rules/icon-composition.ts';
import { drawIconComposition, type DrawIconOptions } from '../../src/features/icons/rules/draw-icon.ts';
import type { IconSet } from '../../src/features/icons/assets/icon-sets.ts';
import type { IconKid } from '../../src/lib/icon-kid.ts';

/** Undefined if no set has the icon. */
export function drawIcon(
  icon: IconKid,
  { set, day, ...options }: DrawIconOptions & { readonly set: IconSet; readonly day: number },
): string | undefined {
  const composition = composeIcon(icon, set, day);
  return composition === undefined ? undefined : drawIconComposition(composition, options);
}
