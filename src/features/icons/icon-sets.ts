// The packaged sets of icon drawings, and which set's drawing an icon gets.

import { readFileSync } from 'node:fs';
import { element, roundTo, type Attributes, type Svg } from '../../lib/svg.ts';

export type IconSet = 'g' | 'line';

export type Box = readonly [x: number, y: number, width: number, height: number];

/** An icon on 24 by 24, as a path that is still to be painted. */
export type Drawing = {
  readonly plain: Svg;
  /** Where text stands, and what is drawn around it in place of `plain`. */
  readonly textArea?: { readonly box: Box; readonly around: Svg };
};

/** A drawing, and the set it was found in. */
export type DrawingOfSet = { readonly set: IconSet; readonly name: string; readonly drawing: Drawing };

/** In ordinal alphabetical order. */
export const iconSets: readonly IconSet[] = ['g', 'line'];

export const isIconSet = (text: string): text is IconSet => (iconSets as readonly string[]).includes(text);

const drawingsBySet: Readonly<Record<IconSet, ReadonlyMap<string, Drawing>>> = {
  g: loadDrawings('g'),
  line: loadDrawings('line'),
};

type DrawingAsset = { readonly path: string; readonly labelled?: string; readonly box?: Box };

function loadDrawings(set: IconSet): ReadonlyMap<string, Drawing> {
  const file = new URL(`../../../assets/icons/${set}.json`, import.meta.url);
  const assets = JSON.parse(readFileSync(file, 'utf8')) as Record<string, DrawingAsset>;
  return new Map(Object.entries(assets).map(([name, asset]) => [name, toDrawing(asset)]));
}

function toDrawing({ path, labelled, box }: DrawingAsset): Drawing {
  const outline = (d: string): Svg => element('path', { d });
  if (box === undefined) return { plain: outline(path) };
  return { plain: outline(path), textArea: { box, around: outline(labelled ?? path) } };
}

/** The names with a drawing in that very set, in ordinal order. */
export function listIconsOfSet(set: IconSet): string[] {
  return [...drawingsBySet[set].keys()].toSorted();
}

/** The drawing of the chosen set, or else of the first other one that has it. */
export function findDrawing(preferredSet: IconSet, name: string): DrawingOfSet | undefined {
  for (const set of [preferredSet, ...iconSets]) {
    const drawing = drawingsBySet[set].get(name);
    if (drawing !== undefined) return { set, name, drawing };
  }
  return undefined;
}

/** How a set's paths are painted: `line` is strokes; `g` is areas, out of which text is cut. */
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

/** The stroke of a drawing: 2 at its own size; when shrunk it thins less than the rest, so as to stay visible. */
export const strokeWidthAtScale = (scale: number): number => roundTo(2 * scale ** -0.55, 3);
