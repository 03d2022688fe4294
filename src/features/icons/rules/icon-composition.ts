// What an icon's picture shows, once sets are searched and everything is left out that would not be seen: two icons that
// look the same have the same key.

import type { IconKid } from '../../../lib/icon-kid.ts';
import { findDrawing, type DrawingOfSet, type IconSet } from '../icon-sets.ts';
import { isVisibleText } from './text-outline.ts';

/** A drawing, and the text on it; empty where none is drawn. */
export type DrawingWithText = DrawingOfSet & { readonly text: string };

export type IconComposition = {
  readonly main: DrawingWithText;
  readonly under: DrawingWithText | undefined;
  /** Zero where there is no badge. */
  readonly count: bigint;
  /** RGB in 24 bits. */
  readonly color: number;
};

/** Undefined where no set has the icon. Of a list only the first two are drawn; an empty one draws `none`. */
export function composeIcon(
  { icons, count, color, text }: IconKid,
  set: IconSet,
  day: number,
): IconComposition | undefined {
  const [mainName = 'none', underName] = icons;
  const main = addText(findDrawing(set, mainName), text, day);
  // The KID's text is the main icon's; under it only a calendar has something to show.
  const under = underName === undefined ? undefined : addText(findDrawing(set, underName), '', day);
  if (main === undefined || (underName !== undefined && under === undefined)) return undefined;
  return { main, under, count: count > 0n ? count : 0n, color: color & 0xffffff };
}

/** The calendar shows the day of the month, whatever else is to stand on it. */
function addText(found: DrawingOfSet | undefined, text: string, day: number): DrawingWithText | undefined {
  if (found === undefined) return undefined;
  if (found.drawing.textArea === undefined) return { ...found, text: '' };
  const label = found.name === 'calendar' ? `${day}` : text.normalize('NFC').trim();
  return { ...found, text: isVisibleText(label) ? label : '' };
}

/** Names everything that is seen, each thing in one way. */
export function formatCompositionKey({ main, under, count, color }: IconComposition): string {
  let key = formatDrawingKey(main);
  if (under !== undefined) key += `~${formatDrawingKey(under)}`;
  if (count !== 0n) key += `~n${count}`;
  if (color !== 0) key += `~c${color.toString(16).padStart(6, '0')}`;
  return key;
}

function formatDrawingKey({ set, name, text }: DrawingWithText): string {
  return text === '' ? `${set}.${name}` : `${set}.${name}.${Buffer.from(text).toString('base64url')}`;
}
