// Formats the rows of the CSV files in a settlement's archive.

import type { CsvCell } from '../../../lib/text/csv.ts';
import type { createDecimalAmountFormatter } from '../../../lib/values/decimal-amount.ts';
import { formatLocationKid, formatPostingKid, formatUnitKid, formatUserKid, gdprUserId } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { computeAccountDocumentKey } from '../../account/rules/account-documents.ts';
import { kindFromCode, paymentKindFromCode } from '../../account/rules/posting-kinds.ts';
import type { CurrencySum } from '../../account/rules/rollups.ts';
import type { ResidentIdentities } from '../../residents/queries/identities.ts';
import { toVisibleIdentity, type IdentityVisibility } from '../../residents/rules/identity.ts';
import type { SettledPostingRow } from '../queries/settled-postings.ts';
import type { StoredPeriod } from '../queries/settlement-periods.ts';
import type { ResidentPeriodSum } from './settlement-sums.ts';

export type ArchivedSettlement = {
  readonly bankKid: string;
  readonly period: StoredPeriod & { readonly throughAt: number; readonly closedAt: number };
  readonly totals: readonly CurrencySum[];
  readonly identities: ResidentIdentities;
  readonly identityVisibility: IdentityVisibility;
  /** Spells an amount in the major unit of its currency; empty where the currency is unknown. */
  readonly formatAmount: ReturnType<typeof createDecimalAmountFormatter>;
};

export const archivePostingColumns = [
  'kid',
  'recordedAtUtc',
  'locationKid',
  'unitKid',
  'userKid',
  'kind',
  'amountMinor',
  'currency',
  'documentKey',
  'amount',
];
export const archiveResidentColumns = ['userKid', 'name', 'currency', 'count', 'amountMinor', 'amount'];
export const archiveTotalColumns = [
  'currency',
  'count',
  'debitMinor',
  'creditMinor',
  'amountMinor',
  'debit',
  'credit',
  'amount',
];

/** The resident who is shown for a posting: the GDPR user if its identity has expired. */
export function findVisibleResidentId(
  row: SettledPostingRow,
  { identities, identityVisibility }: ArchivedSettlement,
): number {
  const { name = null, expiredAt = null } = identities.get(row.user_id) ?? {};
  const identity = { ...row, resident_name: name, resident_expired_at: expiredAt };
  return toVisibleIdentity(identity, identityVisibility).residentId;
}

export function formatPostingCells(
  row: SettledPostingRow,
  residentId: number,
  { bankKid, formatAmount }: ArchivedSettlement,
): CsvCell[] {
  const locationKid = row.location_id === 0 ? '' : formatLocationKid(bankKid, row.location_id);
  const isPaymentManaged = paymentKindFromCode(row.payment_kind) === 'Managed';
  return [
    formatPostingKid(bankKid, row.posting_id),
    formatUtc(row.recorded_at),
    locationKid,
    locationKid === '' || row.unit_id === 0 ? '' : formatUnitKid(locationKid, row.unit_id),
    formatUserKid(bankKid, residentId),
    kindFromCode(row.kind),
    row.amount_minor,
    row.currency,
    computeAccountDocumentKey({ ...row, isPaymentManaged, isAnonymized: residentId === gdprUserId }),
    formatAmount(row.amount_minor, row.currency),
  ];
}

export function formatResidentCells(
  { residentId, currency, count, amountMinor }: ResidentPeriodSum,
  { bankKid, identities, formatAmount }: ArchivedSettlement,
): CsvCell[] {
  const name = residentId === gdprUserId ? '' : (identities.get(residentId)?.name ?? '');
  return [formatUserKid(bankKid, residentId), name, currency, count, amountMinor, formatAmount(amountMinor, currency)];
}

export function formatTotalCells(
  { currency, count, debitMinor, creditMinor }: CurrencySum,
  { formatAmount }: ArchivedSettlement,
): CsvCell[] {
  const amounts = [debitMinor, creditMinor, debitMinor + creditMinor];
  return [currency, count, ...amounts, ...amounts.map((amount) => formatAmount(amount, currency))];
}
