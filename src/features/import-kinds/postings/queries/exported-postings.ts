// Reads the postings of a bank in the order of their ids, with what decides whether their identities are shown.

import type { Db } from '../../../../database/db.ts';
import {
  jsonArrayOf,
  joinPackedRows,
  parsePackedRows,
  toPackedRows,
} from '../../../../database/statements/json-rows.ts';
import { compileOnce } from '../../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../../database/tables.ts';
import type { WholeGrantedBank } from '../../../../permissions/coverage.ts';

const columns = [
  'posting_id',
  'recorded_at',
  'location_id',
  'unit_id',
  'user_id',
  'kind',
  'payment_kind',
  'currency',
  'amount_minor',
  'vat_minor',
  'document_id',
  'text',
  'internal_tag',
  'reversal_of',
  'payment_reference',
] as const satisfies (keyof Tables['postings'])[];

export type ExportedPosting = Pick<Tables['postings'], (typeof columns)[number]> & {
  readonly resident_expired_at: number | null;
  readonly original_at: number | null;
};

const packedColumns = [...columns.map((column) => `p.${column}`), 'r.expired_at', 'original.recorded_at'];

type Place = keyof typeof columns & `${number}`;
/** The values of a row in the order of the columns. */
type PackedPosting = {
  readonly [At in Place]: ExportedPosting[(typeof columns)[At] & keyof ExportedPosting];
} & { readonly 15: number | null; readonly 16: number | null };

/** `after` is the id of the posting before the first one. */
type ReadPostingBatch = (batch: { readonly after: number; readonly limit: number }) => Promise<ExportedPosting[]>;

/** The postings with the next ids. */
export function preparePostingBatches(db: Db, { bankId }: WholeGrantedBank): ReadPostingBatch {
  const read = compileOnce(db, (bind) =>
    joinPackedRows(
      db,
      db
        .selectFrom('postings as p')
        .leftJoin('residents as r', (join) =>
          join.onRef('r.bank_id', '=', 'p.bank_id').onRef('r.resident_id', '=', 'p.user_id'),
        )
        .leftJoin('postings as original', (join) =>
          join.onRef('original.bank_id', '=', 'p.bank_id').onRef('original.posting_id', '=', 'p.reversal_of'),
        )
        .select(jsonArrayOf(packedColumns).as('row'))
        .where('p.bank_id', '=', bankId)
        .where('p.posting_id', '>', bind<number>('after'))
        .orderBy('p.posting_id')
        .limit(bind<number>('limit')),
    ),
  );
  return async (batch) => {
    const packed = toPackedRows(await read(batch));
    return packed.count === 0 ? [] : (parsePackedRows(packed) as unknown as PackedPosting[]).map(toPosting);
  };
}

/** Written out in the order of the columns, which is fast: there are millions of rows. */
const toPosting = (values: PackedPosting): ExportedPosting => ({
  posting_id: values[0],
  recorded_at: values[1],
  location_id: values[2],
  unit_id: values[3],
  user_id: values[4],
  kind: values[5],
  payment_kind: values[6],
  currency: values[7],
  amount_minor: values[8],
  vat_minor: values[9],
  document_id: values[10],
  text: values[11],
  internal_tag: values[12],
  reversal_of: values[13],
  payment_reference: values[14],
  resident_expired_at: values[15],
  original_at: values[16],
});
