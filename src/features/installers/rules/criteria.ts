// The criteria by which installers are selected, in the terms of the database.

import { listSearchPrefixes, rangeOfPrefix, rangeOfWord, type WordRange } from '../../../lib/search-words.ts';
import type { InstallerState } from './installer-states.ts';
import { foldTag } from './search-keys.ts';

export type InstallerSelection = InstallerState | 'all';

export type InstallerCriteria = {
  readonly state: InstallerSelection;
  /** Undefined selects whatever the tags are. */
  readonly tagKey: string | undefined;
  /** An installer has to have a word of each. */
  readonly search: readonly WordRange[];
};

export type InstallerQuery = {
  readonly state: InstallerSelection;
  readonly tag?: string;
  readonly filter?: string;
};

export const createInstallerCriteria = (
  { state, tag, filter = '' }: InstallerQuery,
  tenant: string,
): InstallerCriteria => ({
  state,
  tagKey: tag === undefined ? undefined : foldTag(tag),
  search: listSearchPrefixes(filter).map((prefix) => rangeOfKid(prefix, tenant) ?? rangeOfPrefix(prefix)),
});

/** The KID of an installer is found as a whole: `sund-I2001` is the word `i2001` alone. */
function rangeOfKid(prefix: string, tenant: string): WordRange | undefined {
  const start = `${tenant}-i`;
  const id = prefix.startsWith(start) ? prefix.slice(start.length) : '';
  return /^\d+$/.test(id) ? rangeOfWord(`i${id}`) : undefined;
}
