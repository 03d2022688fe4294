// The criteria by which installers are selected, in the terms of the database.

import { parseNumberSearch } from '../../../lib/text/number-search.ts';
import type { WordSearch } from '../../../lib/text/search-words.ts';
import type { InstallerState } from './installer-states.ts';
import { foldTag } from './installer-search.ts';

type InstallerSelection = InstallerState | 'all';

export type InstallerCriteria = {
  readonly state: InstallerSelection;
  /** Undefined selects whatever the tags are. */
  readonly tagKey: string | undefined;
  readonly search: WordSearch;
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
  search: parseNumberSearch(filter, { type: 'installer', parentKid: tenant }),
});
