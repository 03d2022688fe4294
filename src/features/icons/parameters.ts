// From the path of an icon image to what is to be drawn, or to one refusal that names every wrong segment.

import type { Color } from '../../lib/color.ts';
import { parseIconKid, type IconKid } from '../../lib/icon-kid.ts';
import { parseKid, type KidType } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { note, readColor, refuseWrong, type Wrong } from '../images/parameters.ts';
import { iconNamed, isIcon } from './catalogue.ts';
import { clampedSize, formatOf, type IconFormat } from './formats.ts';
import { isIconSet, type IconSet } from './sets.ts';

export type IconTexts = {
  readonly iconSet: string;
  readonly kid: string;
  readonly format: string;
  readonly size?: string;
  readonly backColor?: string;
};

export type IconRequest = {
  readonly set: IconSet;
  readonly icon: IconKid;
  readonly format: IconFormat;
  /** Pixels of a raster image. */
  readonly size: number;
  /** Behind a raster image; without it, what the icon leaves clear stays clear. */
  readonly background: Color | undefined;
};

const maxKidLength = 2048;
const defaultSize = '128';

/** Every object has a KID, and none has an icon in it. */
const objects: readonly KidType[] = [
  'tenant',
  'bank',
  'location',
  'unit',
  'user',
  'posting',
  'event',
  'document',
  'manager',
  'installer',
  'service',
];

/** @param tenant whose objects' KIDs are accepted. */
export function readIconRequest(texts: IconTexts, tenant: string): IconRequest {
  const set = readSet(texts.iconSet);
  const wrong: Wrong = [];
  const icon = readIcon(wrong, texts.kid, tenant);
  const format = formatOf(texts.format);
  const size = readSize(wrong, texts.size ?? defaultSize);
  const background = texts.backColor === undefined ? undefined : readColor(wrong, 'backColor', texts.backColor);
  refuseWrong('invalid-icon-parameters', wrong);
  return {
    set,
    icon,
    format,
    size: clampedSize(size, format),
    background: background?.alpha === 0 ? undefined : background,
  };
}

/** What a set's name leaves open is not looked at: of an unknown set there is nothing to say about the rest. */
export function readSet(text: string): IconSet {
  if (!isIconSet(text)) throw new Problem('icon-not-found', { detail: 'There is no icon set of this name.' });
  return text;
}

const plainIcon = (name: string): IconKid => ({ icons: [name], count: 0n, color: 0, text: '' });

function readIcon(wrong: Wrong, text: string, tenant: string): IconKid {
  const icon = text.length > maxKidLength ? undefined : iconOf(text, tenant);
  if (icon !== undefined) return icon;
  const message =
    text.length > maxKidLength
      ? `must have at most ${maxKidLength} characters`
      : 'must be a canonical KID of an icon or of an object of this tenant, or the name of an icon';
  note(wrong, 'kid', message);
  return plainIcon('none');
}

function iconOf(text: string, tenant: string): IconKid | undefined {
  const icon = parseIconKid(text, isIcon);
  if (icon !== undefined) return icon;
  const name = iconNamed(text);
  if (name !== undefined) return plainIcon(name);
  return parseKid(text, tenant, objects) === undefined ? undefined : plainIcon('none');
}

function readSize(wrong: Wrong, text: string): number {
  if (/^-?(?:0|[1-9]\d*)$/.test(text)) return Number(text);
  note(wrong, 'size', 'must be a whole number');
  return 0;
}
