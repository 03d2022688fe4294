// Parses the query of a search for documents: the interval of Cycles, the locations and the unit. Limits its size.

import type { Static } from 'typebox';
import type { DocumentsQuery } from '../schemas.ts';
import { Problem } from '../../../lib/problem.ts';
import { dayMs } from '../../../lib/time/durations.ts';
import { computeDeletedSince } from '../../../lib/time/retention-cutoff.ts';
import { parseSelectedTimes } from '../../../lib/time/selected-times.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { selectLocationIds, type GrantedBank } from '../../../permissions/coverage.ts';

const defaultIntervalMs = 86_400_000;

type DocumentSearchQuery = Pick<Static<typeof DocumentsQuery>, 'from' | 'through' | 'locationKid' | 'unitKid'>;

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

export const searchLimits = { intervalMs: 31 * dayMs, locations: 1000, units: 5000, settingRows: 35_000 } as const;

/** Counted up to one more than the limit. */
type SearchTotals = { readonly locations: number; readonly units: number; readonly settingRows: number };

/** Throws the Problem `search-too-large` for the first limit that is exceeded. */
export function checkSearchSize({ locations, units, settingRows }: SearchTotals): void {
  if (locations > searchLimits.locations) throw refuse(`${searchLimits.locations} locations`);
  if (units > searchLimits.units) throw refuse(`${searchLimits.units} units`);
  if (settingRows > searchLimits.settingRows) throw refuse(`${searchLimits.settingRows} settings of units`);
}

const refuse = (what: string): Problem =>
  new Problem('search-too-large', {
    detail: `The search covers more than ${what}: name one location with locationKid.`,
  });
