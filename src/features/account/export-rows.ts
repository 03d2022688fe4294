// The columns of an account's file. Their names are the same in every language; times, amounts and identities are those
// that the account itself shows.

import type { Int64 } from '../../lib/int64.ts';
import type { PostingRow } from './queries/page.ts';
import { entryOf, type EntryContext } from './schemas.ts';

export const exportColumns = [
  'kid',
  'recordedAtUtc',
  'recordedAtMs2000',
  'recordedAtLocal',
  'locationKid',
  'locationName',
  'unitKid',
  'unitName',
  'userKid',
  'userName',
  'kind',
  'paymentKind',
  'text',
  'amountMinor',
  'amount',
  'currency',
  'vatMinor',
  'period',
  'documentKey',
  'reversalOfKid',
  'reversedByKid',
  'isAnonymized',
] as const;

export type ExportCell = string | number | bigint | boolean | null;

export type ExportContext = EntryContext & {
  localTime(ms2000: number): string;
  /** An amount in the currency's major unit; what becomes of its decimals is the file format's. */
  amount(minor: Int64, currency: string): ExportCell;
};

/** A row's cells, in the order of the columns. */
export function cellsOf(row: PostingRow, context: ExportContext): ExportCell[] {
  const entry = entryOf(row, context);
  return [
    entry.kid,
    entry.recordedAtUtc,
    row.recorded_at,
    context.localTime(row.recorded_at),
    entry.locationKid,
    entry.locationName,
    entry.unitKid,
    entry.unitName,
    entry.userKid,
    entry.userName,
    entry.kind,
    entry.paymentKind,
    entry.text,
    row.amount_minor,
    context.amount(row.amount_minor, row.currency),
    entry.currency,
    row.vat_minor,
    entry.period,
    entry.documentKey,
    entry.reversalOfKid,
    entry.reversedByKid,
    entry.isAnonymized,
  ];
}
