// Where the parts of a picture stand on its 24 by 24, so that each of them can be read: the main icon makes room for the
// under-icon at the lower right and for the badge at the upper right, and text makes room for both.

import type { Box } from '../icon-sets.ts';

export const iconSize = 24;

/** A drawing's own 24 by 24, moved and evenly shrunk. */
export type Placement = { readonly x: number; readonly y: number; readonly scale: number };

export type IconLayout = {
  readonly main: Placement;
  /** What the main icon's text keeps clear of: under-icon and badge, with the gap around them. */
  readonly occupiedBoxes: readonly Box[];
};

/** What is left clear around an under-icon and a badge. */
export const gapWidth = 1.2;
/** What is left standing between that and text. */
const textMargin = 0.8;

const underIconSize = 11.6;
export const underIconPlacement: Placement = {
  x: iconSize - underIconSize,
  y: iconSize - underIconSize,
  scale: underIconSize / iconSize,
};
const underIconBox: Box = [underIconPlacement.x, underIconPlacement.y, underIconSize, underIconSize];

export function layOutIcon({ under, badge }: { under: boolean; badge: Box | undefined }): IconLayout {
  return {
    main: badge === undefined ? { x: 0, y: 0, scale: under ? 0.8 : 1 } : placeBesideBadge(under, badge),
    occupiedBoxes: [...(under ? [underIconBox] : []), ...(badge === undefined ? [] : [badge])].map((box) =>
      expandBox(box, gapWidth),
    ),
  };
}

/**
 * At the lower left, as large as the badge's round end lets a head or a roof be seen. Below a badge over most of the
 * width it stands in the middle, and where there is an under-icon as well, the two stand side by side.
 */
function placeBesideBadge(under: boolean, [left]: Box): Placement {
  const isWide = left < iconSize / 4;
  const scale = under || isWide ? 0.54 : left < iconSize / 2 ? 0.66 : 0.8;
  const x = isWide && !under ? (iconSize * (1 - scale)) / 2 : 0;
  return { x, y: iconSize * (1 - scale), scale };
}

export function expandBox([x, y, width, height]: Box, by: number): Box {
  return [x - by, y - by, width + 2 * by, height + 2 * by];
}

/** What is left of a drawing's text box where something of the picture is taken, in the drawing's own measures. */
export function remainingTextBox(box: Box, place: Placement, taken: readonly Box[]): Box {
  return taken.map((each) => toDrawingCoordinates(expandBox(each, textMargin), place)).reduce(largestPartOutside, box);
}

function toDrawingCoordinates([x, y, width, height]: Box, placement: Placement): Box {
  return [
    (x - placement.x) / placement.scale,
    (y - placement.y) / placement.scale,
    width / placement.scale,
    height / placement.scale,
  ];
}

/** The largest part of a box that lies left of a hole, right of it, above or below. */
function largestPartOutside(box: Box, hole: Box): Box {
  const [x, y, width, height] = box;
  const [right, bottom] = [x + width, y + height];
  const [holeRight, holeBottom] = [hole[0] + hole[2], hole[1] + hole[3]];
  if (hole[0] >= right || holeRight <= x || hole[1] >= bottom || holeBottom <= y) return box;
  const parts: Box[] = [
    [x, y, hole[0] - x, height],
    [holeRight, y, right - holeRight, height],
    [x, y, width, hole[1] - y],
    [x, holeBottom, width, bottom - holeBottom],
  ];
  const area = (part: Box): number => Math.max(part[2], 0) * Math.max(part[3], 0);
  return parts.reduce((largest, part) => (area(part) > area(largest) ? part : largest));
}
