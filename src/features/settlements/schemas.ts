// The wire shapes of settlements, and their formatting.

import { hash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { stringEnum, closedObject, instant, kidInput, kidOutput, nullable } from '../../http/schema-types.ts';
import { formatLocationKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { kinds } from '../account/rules/kinds.ts';
import type { CurrencyTotal } from '../account/rules/rollups.ts';
import { Total, toTotal } from '../account/schemas.ts';
import type { SettlementPeriod } from './queries/settlement-periods.ts';
import { maxPeriodNumber } from './rules/period-number.ts';
import type { KindTotals, LocationTotals } from './rules/period-totals.ts';

export const SettlementsParams = closedObject({ bankKid: kidInput('bank') });

/** A number in a path is a text; `parsePeriodNumber` parses it. */
export const SettlementParams = closedObject({
  bankKid: kidInput('bank'),
  period: Type.String({
    pattern: '^(0|[1-9][0-9]{0,9})$',
    description: `Settlement period, 0 = current; at most ${maxPeriodNumber}.`,
    examples: ['1'],
  }),
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
const SettlementItem = closedObject(settlementFields);

const Revision = Type.String({ description: 'Identifies this response (also its ETag).' });

export const SettlementsAnswer = closedObject({
  bankKid: kidOutput('bank'),
  revision: Revision,
  items: Type.Array(SettlementItem, { description: 'Newest first, starting with the current period.' }),
});

const LocationItem = closedObject({
  kid: nullable(kidOutput('location', 'Null for postings without a location.')),
  name: Type.String(),
  totals: CurrencyTotals,
});

const KindItem = closedObject({ kind: stringEnum(kinds, 'Kind of the postings.'), totals: CurrencyTotals });

export const SettlementPeriodAnswer = closedObject({
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
  const revision = hash('sha256', JSON.stringify(answer), 'base64url').slice(0, 27);
  return { bankKid, revision, ...answer };
}
