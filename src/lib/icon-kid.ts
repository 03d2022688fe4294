// Formats and parses icon KIDs: the canonical spelling of an icon with what is drawn on the icon (count, colour, text).

import { isInt64 } from './values/int64.ts';

/**
 * Icon names, the main one first; a signed 64-bit count; RGB in the low 24 bits; a text of at most 128 code points.
 * Answers contain the spelling as `iconKid`, and the image routes parse the spelling from their path. The spelling
 * needs no URL encoding.
 */
export type IconKid = { icons: readonly string[]; count: bigint; color: number; text: string };

const maxLength = 2048;

const iconNamePattern = /^[a-z][a-z0-9_]*$/;
const countPattern = /^n-?[0-9]+$/;
const colorPattern = /^c[0-9a-f]{6}$/;
// No signed 64-bit integer is longer; the bound keeps the conversion to a number cheap.
const canonicalCountPattern = /^n-?[1-9][0-9]{0,18}$/;
// The u flag makes it count code points; lone surrogates are no controls, so they are looked for apart.
const iconTextPattern = /^\P{Cc}{0,128}$/u;

/**
 * Spells an icon KID. Only the low 24 bits of the colour count. Undefined where it cannot be spelled: a text of more
 * than 128 code points, with control characters or lone surrogates; a count outside 64 bits; an icon name that is none,
 * or that would read as a count, colour or text where it stands (`n5` may be a main icon, never one under it); more
 * than 2048 characters.
 *
 * The parts of the spelling are joined by ~: the icons (main, under, more), then ~n count, ~c colour, ~t text. A part
 * with the default value (0, 000000, empty) is left out. A list without icons begins with ~. An icon with no icons, no
 * count, no colour and no text has no parts, so the spelling is `none`, the name of the icon that is drawn. `none`
 * reads back as the icon list ['none'], whose spelling is `none` again.
 */
export function formatIconKid(icon: IconKid): string | undefined {
  const { icons, count, color, text } = icon;
  if (!icons.every((name, index) => iconNamePattern.test(name) && (index === 0 || !isPart(name)))) return undefined;
  if (!isInt64(count) || !isIconText(text)) return undefined;

  const rgb = color & 0xffffff;
  let kidText = icons.join('~');
  if (count !== 0n) kidText += `~n${count}`;
  if (rgb !== 0) kidText += `~c${rgb.toString(16).padStart(6, '0')}`;
  if (text !== '') kidText += `~t${Buffer.from(text).toString('base64url')}`;
  return kidText.length > maxLength ? undefined : kidText || 'none';
}

/** Reads an icon KID whose every icon `isIcon` knows; undefined = malformed, not canonical, or with an unknown icon. */
export function parseIconKid(text: string, isIcon: (name: string) => boolean): IconKid | undefined {
  if (text === '' || text.length > maxLength) return undefined;

  const [main = '', ...rest] = text.split('~');
  const firstPart = rest.findIndex(isPart);
  const under = firstPart === -1 ? rest : rest.slice(0, firstPart);
  const parts = firstPart === -1 ? [] : rest.slice(firstPart);
  if (main === '' && under.length > 0) return undefined;

  const icons = main === '' ? [] : [main, ...under];
  const values = parseParts(parts);
  return values !== undefined && icons.every((name) => iconNamePattern.test(name) && isIcon(name))
    ? { icons, ...values }
    : undefined;
}

/**
 * Icon names and parts look alike (`trash` begins like a text), so what reads as a part is one, whatever icons exist: a
 * spelling must not change its meaning when an icon is added. Counts and colours are recognised by shape, so that a
 * default or an overlong one is refused rather than taken for an icon.
 */
function isPart(segment: string): boolean {
  return countPattern.test(segment) || colorPattern.test(segment) || parseText(segment) !== undefined;
}

function parseParts(parts: readonly string[]): { count: bigint; color: number; text: string } | undefined {
  const remaining = [...parts];
  const count = remaining[0]?.startsWith('n') ? parseCount(remaining.shift()!) : 0n;
  const color = remaining[0]?.startsWith('c') ? parseColorPart(remaining.shift()!) : 0;
  const text = remaining[0]?.startsWith('t') ? parseText(remaining.shift()!) : '';
  if (count === undefined || color === undefined || text === undefined || remaining.length > 0) return undefined;
  return { count, color, text };
}

function parseCount(part: string): bigint | undefined {
  if (!canonicalCountPattern.test(part)) return undefined;
  const count = BigInt(part.slice(1));
  return isInt64(count) ? count : undefined;
}

function parseColorPart(part: string): number | undefined {
  return colorPattern.test(part) && part !== 'c000000' ? Number.parseInt(part.slice(1), 16) : undefined;
}

function parseText(part: string): string | undefined {
  if (!part.startsWith('t') || part.length === 1) return undefined;
  const encoded = part.slice(1);
  const text = Buffer.from(encoded, 'base64url').toString();
  // Both decoders forgive: foreign characters, stray bits, padding and broken UTF-8 all fail to come back as they were.
  return Buffer.from(text).toString('base64url') === encoded && isIconText(text) ? text : undefined;
}

function isIconText(text: string): boolean {
  return text.isWellFormed() && iconTextPattern.test(text);
}
