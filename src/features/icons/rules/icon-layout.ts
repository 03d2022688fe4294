// Places the parts of an icon on its 24 by 24 so that none hides another: the under-icon at the lower right, the badge
// at the upper right, the main icon and its text beside them.

export type Box = readonly [x: number, y: number, width: number, height: number];

export const iconSize = 24;

/** How a drawing of 24 by 24 is moved and scaled. */
export type Placement = { readonly x: number; readonly y: number; readonly scale: number };

type IconLayout = {
  readonly main: Placement;
  /** The boxes that the text of the main icon must not touch: under-icon and badge, with the gap around them. */
  readonly occupiedBoxes: readonly Box[];
};

/** The gap around an under-icon and a badge. */
export const gapWidth = 1.2;
/** The distance between that gap and text. */
const textMargin = 0.8;

const underIconSize = 11.6;
export const underIconPlacement: Placement = {
  x: iconSize - underIconSize,
  y: iconSize - underIconSize,
  scale: underIconSize / iconSize,
};
const underIconBox: Box = [underIconPlacement.x, underIconPlacement.y, underIconSize, underIconSize];

export const layOutIcon = ({ under, badge }: { under: boolean; badge: Box | undefined }): IconLayout => ({
  main: badge === undefined ? { x: 0, y: 0, scale: under ? 0.8 : 1 } : placeBesideBadge(under, badge),
  occupiedBoxes: [...(under ? [underIconBox] : []), ...(badge === undefined ? [] : [badge])].map((box) =>
    expandBox(box, gapWidth),
  ),
});

/**
 * Places the main icon at the lower left, as large as it can be without the badge hiding its top. If the badge takes most
 * of the width, the main icon is centred below it, or placed beside the under-icon.
 */
function placeBesideBadge(under: boolean, [left]: Box): Placement {
  const isWide = left < iconSize / 4;
  const scale = under || isWide ? 0.54 : left < iconSize / 2 ? 0.66 : 0.8;
  const x = isWide && !under ? (iconSize * (1 - scale)) / 2 : 0;
  return { x, y: iconSize * (1 - scale), scale };
}

export const expandBox = ([x, y, width, height]: Box, by: number): Box => [
  x - by,
  y - by,
  width + 2 * by,
  height + 2 * by,
];

/** The largest part of a text box outside the occupied boxes, in the coordinates of the drawing. */
export const remainingTextBox = (box: Box, placement: Placement, occupiedBoxes: readonly Box[]): Box =>
  occupiedBoxes
    .map((each) => toDrawingCoordinates(expandBox(each, textMargin), placement))
    .reduce(largestPartOutside, box);

const toDrawingCoordinates = ([x, y, width, height]: Box, placement: Placement): Box => [
  (x - placement.x) / placement.scale,
  (y - placement.y) / placement.scale,
  width / placement.scale,
  height / placement.scale,
];

/** The largest part of a box that is left or right of a hole, above or below it. */
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
