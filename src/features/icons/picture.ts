// What an icon's picture shows, once sets are searched and everything is left out that would not be seen: two icons that
// look the same have the same key.

import type { IconKid } from '../../lib/icon-kid.ts';
import { findDrawing, type Found, type IconSet } from './sets.ts';
import { hasInk } from './text.ts';

/** A drawing, and the text on it; empty where none is drawn. */
export type Shown = Found & { readonly text: string };

export type Picture = {
  readonly main: Shown;
  readonly under: Shown | undefined;
  /** Zero where there is no badge. */
  readonly count: bigint;
  /** RGB in 24 bits. */
  readonly color: number;
};

/** Undefined where no set has the icon. Of a list only the first two are drawn; an empty one draws `none`. */
export function pictureOf({ icons, count, color, text }: IconKid, set: IconSet, day: number): Picture | undefined {
  const [mainName = 'none', underName] = icons;
  const main = shown(findDrawing(set, mainName), text, day);
  // The KID's text is the main icon's; under it only a calendar has something to show.
  const under = underName === undefined ? undefined : shown(findDrawing(set, underName), '', day);
  if (main === undefined || (underName !== undefined && under === undefined)) return undefined;
  return { main, under, count: count > 0n ? count : 0n, color: color & 0xffffff };
}

/** The calendar shows the day of the month, whatever else is to stand on it. */
function shown(found: Found | undefined, text: string, day: number): Shown | undefined {
  if (found === undefined) return undefined;
  if (found.drawing.label === undefined) return { ...found, text: '' };
  const label = found.name === 'calendar' ? `${day}` : text.normalize('NFC').trim();
  return { ...found, text: hasInk(label) ? label : '' };
}

/** Names everything that is seen, each thing in one way. */
export function pictureKey({ main, under, count, color }: Picture): string {
  let key = drawingKey(main);
  if (under !== undefined) key += `~${drawingKey(under)}`;
  if (count !== 0n) key += `~n${count}`;
  if (color !== 0) key += `~c${color.toString(16).padStart(6, '0')}`;
  return key;
}

function drawingKey({ set, name, text }: Shown): string {
  return text === '' ? `${set}.${name}` : `${set}.${name}.${Buffer.from(text).toString('base64url')}`;
}
