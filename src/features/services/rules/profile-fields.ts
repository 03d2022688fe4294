// Checks the values of a service's profile fields.

import { tooLong, type FieldFault } from '../../../lib/values/field-faults.ts';
import { isSelectableIcon } from './service-icons.ts';

/** The fields that can be written. The hash of the API key cannot. */
export const serviceProfileFields = ['Name', 'Icon'] as const;
export type ServiceProfileField = (typeof serviceProfileFields)[number];

/** In code points. */
export const maxProfileFieldLength = 200;

/** What is wrong with a value; undefined if it can be stored. */
export function findValueFault(field: ServiceProfileField, value: string): FieldFault | undefined {
  if (field === 'Icon')
    return isSelectableIcon(value)
      ? undefined
      : { reason: 'must be one of availableIcons that can be chosen', code: 'not-in-list' };
  if (Array.from(value).length > maxProfileFieldLength) return tooLong(maxProfileFieldLength);
  return /[\p{Cc}\p{Cs}]/u.test(value)
    ? { reason: 'must not contain control characters', code: 'control-characters' }
    : undefined;
}
