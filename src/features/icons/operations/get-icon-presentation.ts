// GetIconPresentation: changes the text, count or colour in the KID of an icon.

import type { Static } from 'typebox';
import type { IconPresentationQuery } from '../schemas.ts';
import { parseIconKid } from '../../../lib/icon-kid.ts';
import { isInt64 } from '../../../lib/values/int64.ts';
import { Problem } from '../../../lib/problem.ts';
import { isIcon } from '../assets/icon-catalogue.ts';
import { formatCurrentIconKid } from '../rules/current-icon-kid.ts';

export type GetIconPresentationInput = Static<typeof IconPresentationQuery>;

/** Parameters that are left out keep their value in the KID. The text of a calendar is the day of the month. */
export function getIconPresentation(
  { iconKid, text, count, color }: GetIconPresentationInput,
  dayOfMonth: number,
): string {
  const icon = parseIconKid(iconKid, isIcon) ?? throwInvalidParameter('iconKid', 'must be a canonical KID of an icon');
  const newCount = count === undefined ? icon.count : BigInt(count);
  if (!isInt64(newCount)) throwInvalidParameter('count', 'must be a signed 64-bit integer');
  const changed = { ...icon, count: newCount, text: text ?? icon.text, color: color ?? icon.color };
  const kid = formatCurrentIconKid(changed, dayOfMonth);
  return kid ?? throwInvalidParameter('iconKid', 'is too long: the resulting KID would have more than 2048 characters');
}

function throwInvalidParameter(name: string, message: string): never {
  const error = { path: `query.${name}`, message };
  throw new Problem('invalid-icon-parameters', { detail: `${error.path} ${message}`, errors: [error] });
}
