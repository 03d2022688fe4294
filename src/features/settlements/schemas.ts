// The shapes of settlements, and from rows to them.

import { hash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { choice, closed, instant, kidInput, kidText, nullable } from '../../http/fields.ts';
import { utcText } from '../../lib/ms2000.ts';
import { kinds } from '../account/rules/kinds.ts';
import type { CurrencyTotal } from '../account/rules/rollups.ts';
import { Total, totalOf } from '../account/schemas.ts';
import type { Period } from './queries/periods.ts';

export const SettlementsParams = closed({ bankKid: kidInput('bank') });

const maxPeriod = 2_147_483_647;

/** In a path a number is text; `periodOf` reads it. */
export const SettlementParams = closed({
  bankKid: kidInput('bank'),
  period: Type.String({
    pattern: '^(0|[1-9][0-9]{0,9})$',
    description: `Settlement period, 0 = current; at most ${maxPeriod}.`,
    examples: ['1'],
  }),
});

/** The number of a period; undefined where it is beyond 32 bits. */
export function periodOf(text: string): number | undefined {
  const period = Number(text);
  return period <= maxPeriod ? period : undefined;
}

const Totals = Type.Array(Total, { description: 'Per currency.' });

const item = {
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  fromUtc: instant('When the period began.'),
  throughUtc: nullable(instant('When it ended; null while it is open.')),
  closedAtUtc: nullable(instant('When it was closed; null while it is open.')),
  provisional: Type.Boolean({ description: 'The period is still open, so its totals will change.' }),
  totals: Totals,
  downloadable: Type.Boolean({ description: 'Whether DownloadBankSettlement has it.' }),
};
const Item = closed(item);
export type Item = Static<typeof Item>;

const Revision = Type.String({ description: 'Names just this answer.' });

export const SettlementsAnswer = closed({
  bankKid: kidText('bank'),
  revision: Revision,
  items: Type.Array(Item, { description: 'Newest first, the current period on top.' }),
});

export const SettlementPeriodAnswer = closed({
  bankKid: kidText('bank'),
  revision: Revision,
  ...item,
  locations: Type.Array(
    closed({
      kid: nullable(kidText('location', 'Null for the postings that belong to no location.')),
      name: Type.String(),
      totals: Totals,
    }),
    { description: 'Together they are the totals of the period.' },
  ),
  kinds: Type.Array(closed({ kind: choice(kinds, 'What the postings are.'), totals: Totals }), {
    description: 'Together they are the totals of the period.',
  }),
});

export const settlementTypes = ['application/zip'];

export function itemOf({ period, fromAt, throughAt, closedAt }: Period, totals: readonly CurrencyTotal[]): Item {
  const provisional = closedAt === null;
  return {
    period: provisional ? 0 : period,
    fromUtc: utcText(fromAt),
    throughUtc: throughAt === null ? null : utcText(throughAt),
    closedAtUtc: closedAt === null ? null : utcText(closedAt),
    provisional,
    totals: totals.map(totalOf),
    downloadable: !provisional,
  };
}

/** An answer with its revision: a hash of all that it says. */
export function revised<T extends object>(bankKid: string, answer: T): T & { bankKid: string; revision: string } {
  const revision = hash('sha256', JSON.stringify(answer), 'base64url').slice(0, 27);
  return { bankKid, revision, ...answer };
}
