// Reads what is stored of what lines of the stream of money name: the bank, the holders of keys, and booked lines with
// the same references.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedBank, UnitKey } from '../../../permissions/coverage.ts';
import type { KeyHolder, RefundableUse } from '../rules/decide-money-line.ts';
import { formatRefName } from '../rules/plan-money-lines.ts';
import { listHoldersOfKeys } from '../../residents/queries/find-resident-by-key.ts';
import { mayUseKeys } from '../../residents/rules/key-use.ts';
import { sumRefunds } from '../../account/queries/refunds.ts';
import { kindCode } from '../../account/rules/posting-kinds.ts';

type BankMoney = { readonly currency: string; readonly vat_basis_points: number | null };

export async function getBankMoney(db: Db, { bankId }: GrantedBank): Promise<BankMoney> {
  const [row] = await runPrepared(db, 'money of bank', { bankId }, (bind) =>
    db.selectFrom('banks').select(['currency', 'vat_basis_points']).where('bank_id', '=', bind<number>('bankId')),
  );
  if (row === undefined) throw new Error(`there is no bank ${bankId}`);
  return row;
}

/**
 * The residents of the bank who have these keys, by kind and number (`Tag:04A21B33`). A resident who is disabled, deleted
 * or expired has none.
 */
export async function findKeyHolders(
  db: Db,
  bank: GrantedBank,
  keyNames: ReadonlySet<string>,
  now: number,
): Promise<Map<string, KeyHolder>> {
  if (keyNames.size === 0) return new Map();
  const numbers = [...new Set([...keyNames].map((name) => name.slice(name.indexOf(':') + 1)))];
  const rows = await listHoldersOfKeys(db, bank, numbers);
  const usable = rows.filter((row) => mayUseKeys(row, now));
  return new Map(
    usable.map(({ kind, key_number, added_at, resident_id }) => [
      `${kind}:${key_number}`,
      { residentId: resident_id, since: added_at },
    ]),
  );
}

/** A reference of a unit; without a unit, one of no unit. */
export type UnitRef = { readonly unit: UnitKey | undefined; readonly ref: string };

const isOneOf = (refs: readonly UnitRef[]) => {
  const byUnit = Map.groupBy(refs, ({ unit }) => `${unit?.locationId ?? 0}/${unit?.unitId ?? 0}`);
  const ofUnits = [...byUnit.values()].map((each) => {
    const unit = each[0]?.unit;
    const names = sql.join([...new Set(each.map(({ ref }) => ref))]);
    return sql`(m.location_id = ${unit?.locationId ?? 0} and m.unit_id = ${unit?.unitId ?? 0} and m.ref in (${names}))`;
  });
  return sql<boolean>`(${sql.join(ofUnits, sql` or `)})`;
};

/** The contents of the lines that were booked with these references. */
export async function findBookedContents(
  db: Db,
  { bankId }: GrantedBank,
  refs: readonly UnitRef[],
): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map();
  const rows = await db
    .selectFrom('money_lines as m')
    .select(['m.location_id', 'm.unit_id', 'm.ref', 'm.content'])
    .where('m.bank_id', '=', bankId)
    .where(isOneOf(refs))
    .execute();
  return new Map(
    rows.map((row) => [
      formatRefName({ bankId, locationId: row.location_id, unitId: row.unit_id }, row.ref ?? ''),
      row.content ?? '',
    ]),
  );
}

/** The uses with these references, and what of them was not refunded or reversed. */
export async function findRefundableUses(
  db: Db,
  bank: GrantedBank,
  refs: readonly UnitRef[],
): Promise<Map<string, RefundableUse>> {
  if (refs.length === 0) return new Map();
  const { bankId } = bank;
  const rows = await db
    .selectFrom('money_lines as m')
    .innerJoin('postings as p', onEqual('p', 'm', 'bank_id', 'posting_id'))
    .leftJoin('postings as back', onEqual('back', 'p', 'bank_id', ['reversal_of', 'posting_id']))
    .select(['m.location_id', 'm.unit_id', 'm.ref', 'back.posting_id as reversed_by'])
    .select(['p.posting_id', 'p.user_id', 'p.document_id', 'p.text', 'p.amount_minor', 'p.vat_minor', 'p.recorded_at'])
    .where('m.bank_id', '=', bankId)
    .where('p.kind', '=', kindCode('Consumption'))
    .where('p.reversal_of', 'is', null)
    .where('p.amount_minor', '<=', 0)
    .where(isOneOf(refs))
    .execute();
  const uses = new Map<string, RefundableUse>();
  for (const row of rows) {
    const unit = { bankId, locationId: row.location_id, unitId: row.unit_id };
    const amountMinor = BigInt(row.amount_minor);
    const refundedMinor = row.reversed_by === null ? await sumRefunds(db, bank, row.posting_id) : -amountMinor;
    uses.set(formatRefName(unit, row.ref ?? ''), {
      residentId: row.user_id,
      documentId: row.document_id,
      text: row.text,
      amountMinor,
      vatMinor: row.vat_minor === null ? null : BigInt(row.vat_minor),
      leftMinor: -amountMinor - refundedMinor,
      source: { postingId: row.posting_id },
    });
  }
  return uses;
}
