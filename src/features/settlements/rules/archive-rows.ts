// Formats the rows of the CSV files in a settlement's archive.

import type { CsvCell } from '../../../lib/csv.ts';
import { formatLocationKid, formatPostingKid, formatUnitKid, formatUserKid, gdprUserId } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/ms2000.ts';
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
];
export const archiveResidentColumns = ['userKid', 'name', 'currency', 'count', 'amountMinor'];
export const archiveTotalColumns = ['currency', 'count', 'debitMinor', 'creditMinor', 'amountMinor'];

/** The resident who is shown for a posting: the GDPR user if its identity has expired. */
export function findVisibleResidentId(
  row: SettledPostingRow,
  { identities, identityVisibility }: ArchivedSettlement,
): number {
  const { name = null, expiredAt = null } = identities.get(row.user_id) ?? {};
  const identity = { ...row, resident_name: name, resident_expired_at: expiredAt };
  return toVisibleIdentity(identity, identityVisibility).residentId;
}

export function formatPostingCells(row: SettledPostingRow, residentId: number, bankKid: string): CsvCell[] {
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
  ];
}

export function formatResidentCells(
  { residentId, currency, count, amountMinor }: ResidentPeriodSum,
  { bankKid, identities }: ArchivedSettlement,
): CsvCell[] {
  const name = residentId === gdprUserId ? '' : (identities.get(residentId)?.name ?? '');
  return [formatUserKid(bankKid, residentId), name, currency, count, amountMinor];
}

export const formatTotalCells = ({ currency, count, debitMinor, creditMinor }: CurrencySum): CsvCell[] => [
  currency,
  count,
  debitMinor,
  creditMinor,
  debitMinor + creditMinor,
];
