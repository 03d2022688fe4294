// Formats the rows of the CSV files in a settlement's archive.

import type { CsvCell } from '../../lib/csv.ts';
import { formatLocationKid, formatPostingKid, formatUnitKid, formatUserKid, gdprUserId } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { formatDocumentKey } from '../account/rules/documents.ts';
import { kindFromCode, paymentKindFromCode } from '../account/rules/kinds.ts';
import type { CurrencyTotal } from '../account/rules/rollups.ts';
import type { ResidentIdentities } from '../residents/queries/identities.ts';
import { toVisibleIdentity, type IdentityVisibility } from '../residents/rules/identity.ts';
import type { SettledPostingRow } from './queries/settled-postings.ts';
import type { SettlementPeriod } from './queries/settlement-periods.ts';
import type { ResidentSum } from './rules/settlement-sums.ts';

export type ArchivedSettlement = {
  readonly bankKid: string;
  readonly period: SettlementPeriod & { readonly throughAt: number; readonly closedAt: number };
  readonly totals: readonly CurrencyTotal[];
  readonly identities: ResidentIdentities;
  readonly identityVisibility: IdentityVisibility;
};

export const postingColumns = [
  'kid',
  'recordedAtUtc',
  'locationKid',
  'unitKid',
  'userKid',
  'kind',
  'amountMinor',
  'currency',
  'documentKey',
];
export const residentColumns = ['userKid', 'name', 'currency', 'count', 'amountMinor'];
export const totalColumns = ['currency', 'count', 'debitMinor', 'creditMinor', 'amountMinor'];

/** The user that is shown for a posting: the GDPR user if its identity has expired. */
export function findVisibleUserId(
  row: SettledPostingRow,
  { identities, identityVisibility }: ArchivedSettlement,
): number {
  const { name = null, expiredAt = null } = identities.get(row.user_id) ?? {};
  const identity = { ...row, resident_name: name, resident_expired_at: expiredAt };
  return toVisibleIdentity(identity, identityVisibility).userId;
}

export function formatPostingCells(row: SettledPostingRow, userId: number, bankKid: string): CsvCell[] {
  const locationKid = row.location_id === 0 ? '' : formatLocationKid(bankKid, row.location_id);
  const isPaymentManaged = paymentKindFromCode(row.payment_kind) === 'Managed';
  return [
    formatPostingKid(bankKid, row.posting_id),
    formatUtc(row.recorded_at),
    locationKid,
    locationKid === '' || row.unit_id === 0 ? '' : formatUnitKid(locationKid, row.unit_id),
    formatUserKid(bankKid, userId),
    kindFromCode(row.kind),
    row.amount_minor,
    row.currency,
    formatDocumentKey({ ...row, isPaymentManaged, isAnonymized: userId === gdprUserId }),
  ];
}

export function formatResidentCells(
  { userId, currency, count, amountMinor }: ResidentSum,
  { bankKid, identities }: ArchivedSettlement,
): CsvCell[] {
  const name = userId === gdprUserId ? '' : (identities.get(userId)?.name ?? '');
  return [formatUserKid(bankKid, userId), name, currency, count, amountMinor];
}

export const formatTotalCells = ({ currency, count, debitMinor, creditMinor }: CurrencyTotal): CsvCell[] => [
  currency,
  count,
  debitMinor,
  creditMinor,
  debitMinor + creditMinor,
];
