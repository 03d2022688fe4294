// Reads what decides what becomes of rows of postings: the bank, the places and residents, the postings that the rows are
// already, and those that they reverse or refund.

import type { Db } from '../../../../database/db.ts';
import { formatPostingKid } from '../../../../lib/kid.ts';
import { listOriginalPostings, type ReversedPostingRow } from '../../../account/queries/original-posting.ts';
import { sumRefundsOf } from '../../../account/queries/refunds.ts';
import { getBankMoney } from '../../../inflow/queries/money-knowledge.ts';
import type { ImportTarget, KeyedRow } from '../../import-kind.ts';
import { bankKidOf, parseKidOfBank } from '../../rules/bank-kids.ts';
import type { OriginalPosting } from '../rules/original-postings.ts';
import { readHiddenIdentities } from '../../queries/hidden-identities.ts';
import { readNamedPlaces } from '../../queries/named-places.ts';
import { findObjectsByKeys, listImportedKids } from '../../queries/objects-by-keys.ts';

export type PostingKnowledge = Awaited<ReturnType<typeof readPostingKnowledge>>;

export async function readPostingKnowledge(db: Db, target: ImportTarget, rows: readonly KeyedRow[]) {
  const { bank } = target;
  const [isHidden, money, places, stored] = await Promise.all([
    readHiddenIdentities(db, target),
    getBankMoney(db, bank),
    readNamedPlaces(db, target, rows),
    listPostingsByKids(
      db,
      target,
      rows.flatMap(({ objectKid }) => objectKid ?? []),
    ),
  ]);
  const originals = await readOriginals(db, target, { rows, isHidden });
  return {
    bankKid: bankKidOf(target),
    now: target.now,
    currency: money.currency,
    vatBasisPoints: money.vat_basis_points,
    places,
    isHidden,
    /** The postings that rows are already, by their KIDs. */
    stored,
    /** What the columns `reverses` and `refunds` name, by the text that they have. */
    originals,
  };
}

type IsHidden = Awaited<ReturnType<typeof readHiddenIdentities>>;

/** A reversal whose original is anonymous is anonymous, since it would tell whose it was. */
export const isHiddenPosting = (
  row: Parameters<IsHidden>[0] & { readonly original_at: number | null },
  isHidden: IsHidden,
): boolean => isHidden(row) || (row.original_at !== null && isHidden({ ...row, recorded_at: row.original_at }));

/** The postings of the bank with these KIDs, by them. */
export async function listPostingsByKids(
  db: Db,
  target: ImportTarget,
  kids: readonly string[],
): Promise<ReadonlyMap<string, ReversedPostingRow>> {
  const ids = kids.map((text) => Number(parseKidOfBank(target, text, 'posting')?.postingId));
  const rows = await listOriginalPostings(db, target.bank, ids.filter(Number.isSafeInteger));
  const bankKid = bankKidOf(target);
  return new Map(rows.map((row) => [formatPostingKid(bankKid, row.posting_id), row]));
}

/** A text that is the KID of no posting is the key of one that was imported before. */
async function readOriginals(
  db: Db,
  target: ImportTarget,
  { rows, isHidden }: { readonly rows: readonly KeyedRow[]; readonly isHidden: IsHidden },
): Promise<ReadonlyMap<string, OriginalPosting>> {
  const names = [...new Set(rows.flatMap(({ values }) => values['reverses'] || values['refunds'] || []))];
  if (names.length === 0) return new Map();
  const kidsByKey = await findObjectsByKeys(db, { kind: 'postings', bankId: target.bank.bankId }, names);
  const kidOf = (name: string): string => kidsByKey.get(name) ?? name;
  const found = await listPostingsByKids(db, target, [...new Set(names.map(kidOf))]);
  const [refunded, imported] = await Promise.all([
    sumRefundsOf(
      db,
      target.bank,
      [...found.values()].map(({ posting_id }) => posting_id),
    ),
    listImportedKids(db, 'postings', [...found.keys()]),
  ]);
  return new Map(
    names.flatMap((name) => {
      const kid = kidOf(name);
      const row = found.get(kid);
      if (row === undefined) return [];
      const original: OriginalPosting = {
        ...row,
        isReversed: row.reversed_by !== null,
        refundedMinor: refunded.get(row.posting_id) ?? 0n,
        isImported: imported.has(kid),
        isHidden: isHiddenPosting(row, isHidden),
      };
      return [[name, original]];
    }),
  );
}
