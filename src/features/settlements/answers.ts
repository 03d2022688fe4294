// Formats settlement periods and their totals.

import { formatLocationKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { digestRevision } from '../../lib/values/revision.ts';
import type { CurrencySum } from '../account/rules/rollups.ts';
import { toCurrencyTotal } from '../account/answers.ts';
import type { StoredPeriod } from './queries/settlement-periods.ts';
import type { KindTotals, LocationTotals } from './rules/period-totals.ts';
import type { SettlementLocation, SettlementKind, SettlementPeriod } from './schemas.ts';

export function toSettlementPeriod(
  { period, fromAt, throughAt, closedAt }: StoredPeriod,
  totals: readonly CurrencySum[],
): SettlementPeriod {
  const provisional = closedAt === null;
  return {
    period: provisional ? 0 : period,
    fromUtc: formatUtc(fromAt),
    throughUtc: throughAt === null ? null : formatUtc(throughAt),
    closedAtUtc: closedAt === null ? null : formatUtc(closedAt),
    provisional,
    totals: totals.map(toCurrencyTotal),
    downloadable: !provisional,
  };
}

/** The name is empty if the location does not exist. */
export const toSettlementLocation = (
  { locationId, totals }: LocationTotals,
  bankKid: string,
  names: ReadonlyMap<number, string>,
): SettlementLocation => ({
  kid: locationId === null ? null : formatLocationKid(bankKid, locationId),
  name: locationId === null ? '' : (names.get(locationId) ?? ''),
  totals: totals.map(toCurrencyTotal),
});

export const toSettlementKind = ({ kind, totals }: KindTotals): SettlementKind => ({
  kind,
  totals: totals.map(toCurrencyTotal),
});

/** Adds the revision of an answer: a hash of its content. */
export const withRevision = <T extends object>(
  bankKid: string,
  answer: T,
): T & { bankKid: string; revision: string } => ({
  bankKid,
  revision: digestRevision(JSON.stringify(answer)),
  ...answer,
});
