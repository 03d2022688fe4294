// Reads the packaged sets of icon drawings, and finds the drawing of an icon.

import { readFileSync } from 'node:fs';
import { element, type Svg } from '../../../lib/pages/svg.ts';
import type { Box } from '../rules/icon-layout.ts';

export type IconSet = 'g' | 'line';

/** An icon on 24 by 24, as a path without colours. */
type Drawing = {
  readonly plain: Svg;
  /** The box for text, and the drawing around it, which replaces `plain` if there is text. */
  readonly textArea?: { readonly box: Box; readonly around: Svg };
};

/** A drawing, and the set that has it. */
export type DrawingOfSet = { readonly set: IconSet; readonly name: string; readonly drawing: Drawing };

/** Sorted by name. */
export const iconSets: readonly IconSet[] = ['g', 'line'];

export const isIconSet = (text: string): text is IconSet => (iconSets as readonly string[]).includes(text);

const drawingsBySet: Readonly<Record<IconSet, ReadonlyMap<string, Drawing>>> = {
  g: loadDrawings('g'),
  line: loadDrawings('line'),
};

type DrawingAsset = { readonly path: string; readonly labelled?: string; readonly box?: Box };

function loadDrawings(set: IconSet): ReadonlyMap<string, Drawing> {
  const file = new URL(`../../../../assets/icons/${set}.json`, import.meta.url);
  const assets = JSON.parse(readFileSync(file, 'utf8')) as Record<string, DrawingAsset>;
  return new Map(Object.entries(assets).map(([name, asset]) => [name, toDrawing(asset)]));
}

function toDrawing({ path, labelled, box }: DrawingAsset): Drawing {
  const outline = (d: string): Svg => element('path', { d });
  if (box === undefined) return { plain: outline(path) };
  return { plain: outline(path), textArea: { box, around: outline(labelled ?? path) } };
}

/** The names of the icons that this set has a drawing of, sorted by code unit. */
export const listIconsOfSet = (set: IconSet): string[] => [...drawingsBySet[set].keys()].toSorted();

/** The drawing in the preferred set, or in the first other set that has one. */
export function findDrawing(preferredSet: IconSet, name: string): DrawingOfSet | undefined {
  for (const set of [preferredSet, ...iconSets]) {
    const drawing = drawingsBySet[set].get(name);
    if (drawing !== undefined) return { set, name, drawing };
  }
  return undefined;
}
