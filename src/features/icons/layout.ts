// Where the parts of a picture stand on its 24 by 24, so that each of them can be read: the main icon makes room for the
// under-icon at the lower right and for the badge at the upper right, and text makes room for both.

import type { Box } from './sets.ts';

export const side = 24;

/** A drawing's own 24 by 24, moved and evenly shrunk. */
export type Place = { readonly x: number; readonly y: number; readonly scale: number };

export type Layout = {
  readonly main: Place;
  /** What the main icon's text keeps clear of: under-icon and badge, with the gap around them. */
  readonly taken: readonly Box[];
};

/** What is left clear around an under-icon and a badge. */
export const gap = 1.2;
/** What is left standing between that and text. */
const wall = 0.8;

const underSize = 11.6;
export const underPlace: Place = { x: side - underSize, y: side - underSize, scale: underSize / side };
const underBox: Box = [underPlace.x, underPlace.y, underSize, underSize];

export function layoutOf({ under, badge }: { under: boolean; badge: Box | undefined }): Layout {
  return {
    main: badge === undefined ? { x: 0, y: 0, scale: under ? 0.8 : 1 } : besideBadge(under, badge),
    taken: [...(under ? [underBox] : []), ...(badge === undefined ? [] : [badge])].map((box) => grown(box, gap)),
  };
}

/**
 * At the lower left, as large as the badge's round end lets a head or a roof be seen. Below a badge over most of the
 * width it stands in the middle, and where there is an under-icon as well, the two stand side by side.
 */
function besideBadge(under: boolean, [left]: Box): Place {
  const isWide = left < side / 4;
  const scale = under || isWide ? 0.54 : left < side / 2 ? 0.66 : 0.8;
  const x = isWide && !under ? (side * (1 - scale)) / 2 : 0;
  return { x, y: side * (1 - scale), scale };
}

export function grown([x, y, width, height]: Box, by: number): Box {
  return [x - by, y - by, width + 2 * by, height + 2 * by];
}

/** What is left of a drawing's text box where something of the picture is taken, in the drawing's own measures. */
export function clearBox(box: Box, place: Place, taken: readonly Box[]): Box {
  return taken.map((each) => within(grown(each, wall), place)).reduce(besides, box);
}

function within([x, y, width, height]: Box, place: Place): Box {
  return [(x - place.x) / place.scale, (y - place.y) / place.scale, width / place.scale, height / place.scale];
}

/** The largest part of a box that lies left of a hole, right of it, above or below. */
function besides(box: Box, hole: Box): Box {
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
