// Decides what an icon shows: finds its drawings and drops everything invisible, so that icons that look the same have
// the same key.

import type { IconKid } from '../../../lib/icon-kid.ts';
import { findDrawing, type DrawingOfSet, type IconSet } from '../assets/icon-sets.ts';
import { isVisibleText } from './text-outline.ts';

/** A drawing, and the text on it; empty for no text. */
export type DrawingWithText = DrawingOfSet & { readonly text: string };

export type IconComposition = {
  readonly main: DrawingWithText;
  readonly under: DrawingWithText | undefined;
  /** 0 for no badge. */
  readonly count: bigint;
  /** RGB in 24 bits. */
  readonly color: number;
};

/** Undefined if no set has the icon. Only the first two icons of a KID are drawn; without any, `none` is drawn. */
export function composeIcon(
  { icons, count, color, text }: IconKid,
  set: IconSet,
  day: number,
): IconComposition | undefined {
  const [mainName = 'none', underName] = icons;
  const main = addText(findDrawing(set, mainName), text, day);
  // The text of the KID belongs to the main icon. As under-icon, only a calendar has a text: the day.
  const under = underName === undefined ? undefined : addText(findDrawing(set, underName), '', day);
  if (main === undefined || (underName !== undefined && under === undefined)) return undefined;
  return { main, under, count: count > 0n ? count : 0n, color: color & 0xffffff };
}

/** The calendar shows the day of the month instead of the text. */
function addText(found: DrawingOfSet | undefined, text: string, day: number): DrawingWithText | undefined {
  if (found === undefined) return undefined;
  if (found.drawing.textArea === undefined) return { ...found, text: '' };
  const label = found.name === 'calendar' ? `${day}` : text.normalize('NFC').trim();
  return { ...found, text: isVisibleText(label) ? label : '' };
}

/** Contains everything visible, each in one spelling. */
export function formatCompositionKey({ main, under, count, color }: IconComposition): string {
  let key = formatDrawingKey(main);
  if (under !== undefined) key += `~${formatDrawingKey(under)}`;
  if (count !== 0n) key += `~n${count}`;
  if (color !== 0) key += `~c${color.toString(16).padStart(6, '0')}`;
  return key;
}

const formatDrawingKey = ({ set, name, text }: DrawingWithText): string =>
  text === '' ? `${set}.${name}` : `${set}.${name}.${Buffer.from(text).toString('base64url')}`;
