// Parses the query of a search for documents: the interval of Cycles, the locations and the unit.

import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { computeDeletedSince } from '../../../lib/time/retention-cutoff.ts';
import { parseSelectedTimes } from '../../../lib/time/selected-times.ts';
import { selectLocationIds, type GrantedBank } from '../../../permissions/coverage.ts';
import { searchLimits } from './search-limits.ts';

const defaultIntervalMs = 86_400_000;

export type DocumentSearchQuery = {
  readonly from?: string;
  readonly through?: string;
  readonly locationKid?: KidOf<'location'>;
  readonly unitKid?: KidOf<'unit'>;
};

export type DocumentCriteria = {
  readonly bank: GrantedBank;
  /** Both inclusive, MS2000. */
  readonly from: number;
  readonly through: number;
  /** Undefined: all locations of the bank. */
  readonly locationIds: readonly number[] | undefined;
  readonly unitId: number | undefined;
  /** Locations and units that were deleted since are searched too, MS2000. */
  readonly deletedSince: number;
};

type SearchContext = {
  readonly now: number;
  /** The manager's own. */
  readonly retentionDays: number;
};

/** Throws 400 if a time or a KID is invalid. */
export function parseSearch(
  bank: GrantedBank,
  query: DocumentSearchQuery,
  { now, retentionDays }: SearchContext,
): DocumentCriteria {
  for (const name of ['locationKid', 'unitKid'] as const)
    if (query[name] !== undefined && query[name].bankId !== bank.bankId)
      throw createFieldProblem(`query.${name}`, 'must belong to the bank', 'invalid-kid');
  return {
    bank,
    ...parseInterval(query, now),
    locationIds: selectLocationIds(bank, query),
    unitId: query.unitKid?.unitId,
    deletedSince: computeDeletedSince(retentionDays, now),
  };
}

function parseInterval(query: DocumentSearchQuery, now: number): Pick<DocumentCriteria, 'from' | 'through'> {
  const { from: givenFrom, through: givenThrough } = parseSelectedTimes(query);
  const through = givenThrough ?? (givenFrom === undefined ? now : Math.max(now, givenFrom));
  const from = givenFrom ?? through - defaultIntervalMs;
  if (through - from > searchLimits.intervalMs)
    throw givenThrough === undefined
      ? createFieldProblem('query.from', 'must be at most 31 days before through (now by default)')
      : createFieldProblem('query.through', 'must be at most 31 days after from');
  return { from, through };
}
