// Decides which icons a person can have.

import { listIconNames } from '../assets/icon-catalogue.ts';

/** The names that can be chosen, in the order of the catalogue. */
export const listPersonIcons = (): string[] => listIconNames('persons');

export const isPersonIcon = (name: string): boolean => listPersonIcons().includes(name);
