// Decides which icons a person can have.

import { listIconNames } from '../assets/icon-catalogue.ts';

/** The names that can be chosen, in the order of the catalogue. */
export const listPersonIcons = (): string[] => listIconNames('persons');

/** Whether a person can have the icon. The current one can be kept, even if it can no longer be chosen. */
export const mayHavePersonIcon = (name: string, current: string): boolean =>
  name === current || listPersonIcons().includes(name);
