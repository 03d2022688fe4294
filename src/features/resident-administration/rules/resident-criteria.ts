// The criteria by which residents of a bank are selected, in the terms of the database.

import type { Static } from 'typebox';
import type { BankUsersQuery } from '../schemas.ts';
import { formatBankKid } from '../../../lib/kid.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { parseNumberSearch } from '../../../lib/text/number-search.ts';
import type { WordSearch } from '../../../lib/text/search-words.ts';
import { selectLocationIds, type GrantedBank } from '../../../permissions/coverage.ts';
import { computeDeletedSince } from '../../../lib/time/retention-cutoff.ts';
import type { ResidentState } from './allowed-commands.ts';

export type ResidentCriteria = {
  readonly bank: GrantedBank;
  readonly state: ResidentState | 'all';
  /** Undefined selects residents of all locations, and those without one. */
  readonly locationIds: readonly number[] | undefined;
  readonly search: WordSearch;
  /** Residents that were deleted before are not visible. */
  readonly deletedSince: number;
  readonly now: number;
};

type ResidentQuery = Pick<Static<typeof BankUsersQuery>, 'state' | 'locationKid' | 'filter'>;

/** Throws 400 if the location belongs to another bank. */
export function createResidentCriteria(
  { state, locationKid, filter = '' }: ResidentQuery,
  { bank, retentionDays, now }: { readonly bank: GrantedBank; readonly retentionDays: number; readonly now: number },
): ResidentCriteria {
  if (locationKid !== undefined && locationKid.bankId !== bank.bankId)
    throw createFieldProblem('query.locationKid', 'must belong to the bank', 'invalid-kid');
  return {
    bank,
    state,
    locationIds: selectLocationIds(bank, { locationKid }),
    search: parseNumberSearch(filter, { type: 'user', parentKid: formatBankKid(bank.tenant, bank.bankId) }),
    deletedSince: computeDeletedSince(retentionDays, now),
    now,
  };
}

/** Whether the criteria match nobody, whatever is stored. */
export const matchesNoResident = ({ locationIds, state, deletedSince, now }: ResidentCriteria): boolean =>
  locationIds?.length === 0 || (state === 'deleted' && deletedSince > now);
