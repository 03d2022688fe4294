// The wire shapes of settlements, and their formatting.

import { Type, type Static } from 'typebox';
import { namedObject, nullable } from '../../http/named-schemas.ts';
import { closedObject, instant, int32, kidInput, kidOutput } from '../../http/schema-types.ts';
import { formatLocationKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { digestRevision } from '../../lib/revision.ts';
import type { CurrencyTotal } from '../account/rules/rollups.ts';
import { PostingKind, Total, toTotal } from '../account/schemas.ts';
import type { SettlementPeriod } from './queries/settlement-periods.ts';
import type { KindTotals, LocationTotals } from './rules/period-totals.ts';

export const SettlementsParams = closedObject({ bankKid: kidInput('bank') });

export const SettlementParams = closedObject({
  bankKid: kidInput('bank'),
  period: int32({ minimum: 0, description: 'Settlement period, 0 = current.', examples: [1] }),
});

const CurrencyTotals = Type.Array(Total, { description: 'Per currency.' });

const settlementFields = {
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  fromUtc: instant('Start of the period.'),
  throughUtc: nullable(instant('End of the period; null while it is open.')),
  closedAtUtc: nullable(instant('Time at which the period was closed; null while it is open.')),
  provisional: Type.Boolean({ description: 'Whether the period is still open and its totals can change.' }),
  totals: CurrencyTotals,
  downloadable: Type.Boolean({ description: 'Whether DownloadBankSettlement can return this period.' }),
};
const SettlementItem = namedObject('SettlementPeriod', settlementFields);

const Revision = Type.String({ description: 'Identifies this response (also its ETag).' });

export const SettlementsAnswer = namedObject('SettlementHistory', {
  bankKid: kidOutput('bank'),
  revision: Revision,
  items: Type.Array(SettlementItem, { description: 'Newest first, starting with the current period.' }),
});

const LocationItem = namedObject('SettlementLocation', {
  kid: nullable(kidOutput('location', 'Null for postings without a location.')),
  name: Type.String(),
  totals: CurrencyTotals,
});

const KindItem = namedObject('SettlementKind', { kind: PostingKind, totals: CurrencyTotals });

export const SettlementPeriodAnswer = namedObject('SettlementPeriodDetail', {
  bankKid: kidOutput('bank'),
  revision: Revision,
  ...settlementFields,
  locations: Type.Array(LocationItem, { description: 'Their sum equals the totals of the period.' }),
  kinds: Type.Array(KindItem, { description: 'Their sum equals the totals of the period.' }),
});

export const settlementMediaTypes = ['application/zip'];

export function toSettlementItem(
  { period, fromAt, throughAt, closedAt }: SettlementPeriod,
  totals: readonly CurrencyTotal[],
): Static<typeof SettlementItem> {
  const provisional = closedAt === null;
  return {
    period: provisional ? 0 : period,
    fromUtc: formatUtc(fromAt),
    throughUtc: throughAt === null ? null : formatUtc(throughAt),
    closedAtUtc: closedAt === null ? null : formatUtc(closedAt),
    provisional,
    totals: totals.map(toTotal),
    downloadable: !provisional,
  };
}

/** The name is empty if the location does not exist. */
export const toLocationItem = (
  { locationId, totals }: LocationTotals,
  bankKid: string,
  names: ReadonlyMap<number, string>,
): Static<typeof LocationItem> => ({
  kid: locationId === null ? null : formatLocationKid(bankKid, locationId),
  name: locationId === null ? '' : (names.get(locationId) ?? ''),
  totals: totals.map(toTotal),
});

export const toKindItem = ({ kind, totals }: KindTotals): Static<typeof KindItem> => ({
  kind,
  totals: totals.map(toTotal),
});

/** Adds the revision of an answer: a hash of its content. */
export function withRevision<T extends object>(bankKid: string, answer: T): T & { bankKid: string; revision: string } {
  return { bankKid, revision: digestRevision(JSON.stringify(answer)), ...answer };
}
