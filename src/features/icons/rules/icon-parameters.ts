// Parses the path parameters of icon images. One problem lists every invalid parameter.

import type { Color } from '../../../lib/color.ts';
import { parseIconKid, type IconKid } from '../../../lib/icon-kid.ts';
import { kidTypes, parseKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import {
  addParameterError,
  parseColorParameter,
  throwIfInvalid,
  type ParameterErrors,
} from '../../images/rules/image-parameters.ts';
import { findIconName, isIcon } from '../assets/icon-catalogue.ts';
import { clampIconSize, parseIconFormat, type IconFormat } from './icon-formats.ts';
import { isIconSet, type IconSet } from '../assets/icon-sets.ts';

export type IconPathParameters = {
  readonly iconSet: string;
  readonly kid: string;
  readonly format: string;
  readonly size?: string;
  readonly backColor?: string;
};

export type IconImageRequest = {
  readonly set: IconSet;
  readonly icon: IconKid;
  readonly format: IconFormat;
  /** Pixels of a raster image. */
  readonly size: number;
  /** Background of a raster image; undefined for transparent. */
  readonly background: Color | undefined;
};

const maxKidLength = 2048;
const defaultSize = '128';

/** @param tenant the tenant whose object KIDs are accepted. */
export function parseIconImageRequest(parameters: IconPathParameters, tenant: string): IconImageRequest {
  const set = parseIconSet(parameters.iconSet);
  const errors: ParameterErrors = [];
  const icon = parseIconParameter(errors, parameters.kid, tenant);
  const format = parseIconFormat(parameters.format);
  const size = parseIconSize(errors, parameters.size ?? defaultSize);
  const background =
    parameters.backColor === undefined ? undefined : parseColorParameter(errors, 'backColor', parameters.backColor);
  throwIfInvalid('invalid-icon-parameters', errors);
  return {
    set,
    icon,
    format,
    size: clampIconSize(size, format),
    background: background?.alpha === 0 ? undefined : background,
  };
}

/** Throws Problem icon-not-found for an unknown set, whatever the other parameters are. */
export function parseIconSet(text: string): IconSet {
  if (!isIconSet(text)) throw new Problem('icon-not-found', { detail: 'There is no icon set of this name.' });
  return text;
}

const toIconKid = (name: string): IconKid => ({ icons: [name], count: 0n, color: 0, text: '' });

function parseIconParameter(errors: ParameterErrors, text: string, tenant: string): IconKid {
  const icon = text.length > maxKidLength ? undefined : findIconKid(text, tenant);
  if (icon !== undefined) return icon;
  const message =
    text.length > maxKidLength
      ? `must have at most ${maxKidLength} characters`
      : 'must be a canonical KID of an icon or of an object of this tenant, or the name of an icon';
  addParameterError(errors, 'kid', message);
  return toIconKid('none');
}

function findIconKid(text: string, tenant: string): IconKid | undefined {
  const icon = parseIconKid(text, isIcon);
  if (icon !== undefined) return icon;
  const name = findIconName(text);
  if (name !== undefined) return toIconKid(name);
  // The KID of an object contains no icon.
  return parseKid(text, tenant, kidTypes) === undefined ? undefined : toIconKid('none');
}

function parseIconSize(errors: ParameterErrors, text: string): number {
  if (/^-?(?:0|[1-9]\d*)$/.test(text)) return Number(text);
  addParameterError(errors, 'size', 'must be a whole number');
  return 0;
}
