// Checks the values of a service's profile fields.

import { isSelectableIcon } from './service-icons.ts';

/** The fields that can be written. The hash of the API key cannot. */
export const serviceProfileFields = ['Name', 'Icon'] as const;
export type ServiceProfileField = (typeof serviceProfileFields)[number];

/** In code points. */
export const maxProfileFieldLength = 200;

/** What is wrong with a value; undefined if it can be stored. */
export function findValueFault(field: ServiceProfileField, value: string): string | undefined {
  if (field === 'Icon') return isSelectableIcon(value) ? undefined : 'must be one of availableIcons that can be chosen';
  if (Array.from(value).length > maxProfileFieldLength) return `must have at most ${maxProfileFieldLength} characters`;
  return /[\p{Cc}\p{Cs}]/u.test(value) ? 'must not contain control characters' : undefined;
}
