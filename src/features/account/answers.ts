// Formats postings as the entries and documents of an account.

import { toJsonInt64 } from '../../lib/values/int64.ts';
import { formatLocationKid, formatPostingKid, formatUnitKid, formatUserKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { isAnonymized, toVisibleIdentity, type IdentityVisibility } from '../residents/rules/identity.ts';
import type { ListedPostingRow, PostingRow } from './queries/posting-page.ts';
import { computeAccountDocumentKey } from './rules/account-documents.ts';
import { kindFromCode, paymentKindFromCode } from './rules/posting-kinds.ts';
import { isReversible } from './rules/reversal.ts';
import type { AccountEntry, AccountDocument, CurrencyTotal } from './schemas.ts';
import type { CurrencySum } from './rules/rollups.ts';

export type AccountEntryContext = {
  readonly bankKid: string;
  readonly openPeriod: number;
  readonly identityVisibility: IdentityVisibility;
  readonly locationNames: ReadonlyMap<number, string>;
  /** By `location/unit`, localised. */
  readonly unitNames: ReadonlyMap<string, string>;
};

export function toAccountEntry(row: ListedPostingRow, context: AccountEntryContext): AccountEntry {
  const { bankKid, openPeriod, identityVisibility } = context;
  const { location_id, unit_id } = row;
  const identity = toVisibleIdentity(row, identityVisibility);
  const kind = kindFromCode(row.kind);
  return {
    kid: formatPostingKid(bankKid, row.posting_id),
    recordedAtUtc: formatUtc(row.recorded_at),
    recordedAtMs2000: row.recorded_at,
    locationKid: formatEntryLocationKid(bankKid, location_id),
    locationName: context.locationNames.get(location_id) ?? '',
    unitKid: formatEntryUnitKid(bankKid, location_id, unit_id),
    unitName: context.unitNames.get(`${location_id}/${unit_id}`) ?? '',
    userKid: formatUserKid(bankKid, identity.residentId),
    userName: identity.name,
    kind,
    paymentKind: paymentKindFromCode(row.payment_kind),
    text: identity.isAnonymized ? kind : row.text,
    amountMinor: toJsonInt64(row.amount_minor),
    currency: row.currency === '' ? null : row.currency,
    vatMinor: row.vat_minor === null ? null : toJsonInt64(row.vat_minor),
    period: row.period === openPeriod ? 0 : row.period,
    documentKey: formatEntryDocumentKey(row, identity.isAnonymized),
    reversalOfKid: formatReversalLink(row, row.reversal_of, row.original_at, context),
    reversedByKid: formatReversalLink(row, row.reversed_by, row.reversed_at, context),
    isAnonymized: identity.isAnonymized,
    reversible: !identity.isAnonymized && isReversible(row),
  };
}

export function formatEntryDocumentKey(row: PostingRow, rowIsAnonymized: boolean): string {
  const isPaymentManaged = paymentKindFromCode(row.payment_kind) === 'Managed';
  return computeAccountDocumentKey({ ...row, isPaymentManaged, isAnonymized: rowIsAnonymized });
}

/** The KID of a posting's location; null for none. */
export const formatEntryLocationKid = (bankKid: string, locationId: number): string | null =>
  locationId === 0 ? null : formatLocationKid(bankKid, locationId);

/** The KID of a posting's unit; null for none. */
export const formatEntryUnitKid = (bankKid: string, locationId: number, unitId: number): string | null =>
  locationId === 0 || unitId === 0 ? null : formatUnitKid(formatLocationKid(bankKid, locationId), unitId);

/**
 * The KID of the other side of a reversal. Null if the identity of only one side is shown: the link would identify the
 * other.
 */
export function formatReversalLink(
  row: PostingRow,
  postingId: number | null,
  recordedAt: number | null,
  { bankKid, identityVisibility }: Pick<AccountEntryContext, 'bankKid' | 'identityVisibility'>,
): string | null {
  if (postingId === null || recordedAt === null) return null;
  const isSameAnonymity =
    isAnonymized({ ...row, recorded_at: recordedAt }, identityVisibility) === isAnonymized(row, identityVisibility);
  return isSameAnonymity ? formatPostingKid(bankKid, postingId) : null;
}

/** The entries of a page by document key, in the order of their first rows. */
export function groupIntoAccountDocuments(
  entries: readonly AccountEntry[],
  rows: readonly PostingRow[],
): AccountDocument[] {
  const groups = new Map<string, { first: AccountEntry; amount: bigint; entryKids: string[] }>();
  for (const [index, entry] of entries.entries()) {
    const amount = BigInt(rows[index]?.amount_minor ?? 0);
    const group = groups.get(entry.documentKey);
    if (group === undefined) groups.set(entry.documentKey, { first: entry, amount, entryKids: [entry.kid] });
    else {
      group.amount += amount;
      group.entryKids.push(entry.kid);
    }
  }
  return [...groups.values()].map(({ first, amount, entryKids }) => ({
    documentKey: first.documentKey,
    userKid: first.userKid,
    locationKid: first.locationKid,
    period: first.period,
    currency: first.currency,
    amountMinor: toJsonInt64(amount),
    count: entryKids.length,
    entryKids,
  }));
}

export const toCurrencyTotal = ({ currency: code, count, debitMinor, creditMinor }: CurrencySum): CurrencyTotal => ({
  currency: code === '' ? null : code,
  count,
  debitMinor: toJsonInt64(debitMinor),
  creditMinor: toJsonInt64(creditMinor),
  amountMinor: toJsonInt64(debitMinor + creditMinor),
});
