// Decides which icons a person can have.

import type { FieldResult } from '../../../lib/values/field-values.ts';
import { listIconNames } from '../assets/icon-catalogue.ts';

/** The names that can be chosen, in the order of the catalogue. */
export const listPersonIcons = (): string[] => listIconNames('persons');

/** Whether a person can have the icon. The current one can be kept, even if it can no longer be chosen. */
export const mayHavePersonIcon = (name: string, current: string): boolean =>
  name === current || listPersonIcons().includes(name);

export const defaultPersonIcon = 'person';

/** Empty is the default. An icon that can no longer be chosen is kept, but given to nobody else. */
export const parsePersonIcon = (text: string): FieldResult => {
  const icon = text.trim() || defaultPersonIcon;
  return mayHavePersonIcon(icon, defaultPersonIcon)
    ? { value: icon }
    : { reason: 'must be the name of an icon of a person' };
};
