// The shapes of settlements, and from rows to them.

import { hash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { stringEnum, closedObject, instant, kidInput, kidOutput, nullable } from '../../http/schema-types.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { kinds } from '../account/rules/kinds.ts';
import type { CurrencyTotal } from '../account/rules/rollups.ts';
import { Total, toTotal } from '../account/schemas.ts';
import type { SettlementPeriod } from './queries/settlement-periods.ts';

export const SettlementsParams = closedObject({ bankKid: kidInput('bank') });

const maxPeriod = 2_147_483_647;

/** In a path a number is text; `periodOf` reads it. */
export const SettlementParams = closedObject({
  bankKid: kidInput('bank'),
  period: Type.String({
    pattern: '^(0|[1-9][0-9]{0,9})$',
    description: `Settlement period, 0 = current; at most ${maxPeriod}.`,
    examples: ['1'],
  }),
});

/** The number of a period; undefined where it is beyond 32 bits. */
export function parsePeriod(text: string): number | undefined {
  const period = Number(text);
  return period <= maxPeriod ? period : undefined;
}

const CurrencyTotals = Type.Array(Total, { description: 'Per currency.' });

const settlementFields = {
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  fromUtc: instant('When the period began.'),
  throughUtc: nullable(instant('When it ended; null while it is open.')),
  closedAtUtc: nullable(instant('When it was closed; null while it is open.')),
  provisional: Type.Boolean({ description: 'The period is still open, so its totals will change.' }),
  totals: CurrencyTotals,
  downloadable: Type.Boolean({ description: 'Whether DownloadBankSettlement has it.' }),
};
const SettlementItem = closedObject(settlementFields);
export type SettlementItem = Static<typeof SettlementItem>;

const Revision = Type.String({ description: 'Names just this answer.' });

export const SettlementsAnswer = closedObject({
  bankKid: kidOutput('bank'),
  revision: Revision,
  items: Type.Array(SettlementItem, { description: 'Newest first, the current period on top.' }),
});

export const SettlementPeriodAnswer = closedObject({
  bankKid: kidOutput('bank'),
  revision: Revision,
  ...settlementFields,
  locations: Type.Array(
    closedObject({
      kid: nullable(kidOutput('location', 'Null for the postings that belong to no location.')),
      name: Type.String(),
      totals: CurrencyTotals,
    }),
    { description: 'Together they are the totals of the period.' },
  ),
  kinds: Type.Array(closedObject({ kind: stringEnum(kinds, 'What the postings are.'), totals: CurrencyTotals }), {
    description: 'Together they are the totals of the period.',
  }),
});

export const settlementMediaTypes = ['application/zip'];

export function toSettlementItem(
  { period, fromAt, throughAt, closedAt }: SettlementPeriod,
  totals: readonly CurrencyTotal[],
): SettlementItem {
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

/** An answer with its revision: a hash of all that it says. */
export function withRevision<T extends object>(bankKid: string, answer: T): T & { bankKid: string; revision: string } {
  const revision = hash('sha256', JSON.stringify(answer), 'base64url').slice(0, 27);
  return { bankKid, revision, ...answer };
}
