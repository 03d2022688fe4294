// Reads what `verify inflow` compares: what streams count, and what is stored of their lines.

import type { Tables } from '../../../database/tables.ts';
import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';

/** An epoch of a stream, the present one or a former one, with what is stored of its lines. */
export type CountedEpoch = Pick<Tables['computer_streams'], (typeof countColumns)[number]> & {
  /** Lines that have a posting, also those that were held first. */
  readonly money_lines: number;
  readonly held_lines: number;
  readonly resolved_lines: number;
  /** The greatest numbers; null if there is no line. */
  readonly last_money_line: number | null;
  readonly last_held_line: number | null;
};

const countColumns = ['computer_id', 'stream', 'epoch_number', 'through', 'booked', 'held', 'other'] as const;

export async function listCountedEpochs(db: Db, { bankId }: WholeGrantedBank): Promise<CountedEpoch[]> {
  const present = db.selectFrom('computer_streams').select(countColumns).where('bank_id', '=', bankId);
  const former = db.selectFrom('former_epochs').select(countColumns).where('bank_id', '=', bankId);
  const ofEpoch = (alias: string) =>
    sql`${sql.ref(`${alias}.bank_id`)} = ${bankId} and ${sql.ref(`${alias}.computer_id`)} = e.computer_id
      and ${sql.ref(`${alias}.epoch_number`)} = e.epoch_number`;
  const heldOf = sql`from held_lines h where ${ofEpoch('h')} and h.stream = e.stream`;
  const moneyOf = sql`from money_lines m where ${ofEpoch('m')} and e.stream = 'money'`;
  return db
    .selectFrom(present.unionAll(former).as('e'))
    .selectAll()
    .select([
      sql<number>`(select count(*) ${moneyOf})`.as('money_lines'),
      sql<number>`(select count(*) ${heldOf})`.as('held_lines'),
      sql<number>`(select count(*) ${heldOf} and h.state = 'resolved')`.as('resolved_lines'),
      sql<number | null>`(select max(m.n) ${moneyOf})`.as('last_money_line'),
      sql<number | null>`(select max(h.n) ${heldOf})`.as('last_held_line'),
    ])
    .orderBy('computer_id')
    .orderBy('stream')
    .orderBy('epoch_number')
    .execute();
}

type InflowRow = { readonly key: string; readonly stored: string };

const lineKey = (alias: string) =>
  sql<string>`concat('computer ', ${sql.ref(`${alias}.computer_id`)}, ' epoch ', ${sql.ref(`${alias}.epoch_number`)}, ' line ', ${sql.ref(`${alias}.n`)})`;

/** Booked lines whose posting is missing, or is one of another unit. */
export async function listLinesWithoutPosting(db: Db, { bankId }: WholeGrantedBank): Promise<InflowRow[]> {
  const { rows } = await sql<InflowRow>`select ${lineKey('m')} as ${sql.ref('key')},
      concat('posting ', m.posting_id) as stored
    from money_lines m left join postings p on p.bank_id = m.bank_id and p.posting_id = m.posting_id
    where m.bank_id = ${bankId} and (p.posting_id is null or p.location_id <> m.location_id or p.unit_id <> m.unit_id)
    order by m.computer_id, m.epoch_number, m.n`.execute(db);
  return rows;
}

/** Booked lines of an epoch that no stream has had. */
export async function listLinesWithoutEpoch(db: Db, { bankId }: WholeGrantedBank): Promise<InflowRow[]> {
  const ofLine = sql`e.bank_id = m.bank_id and e.computer_id = m.computer_id and e.epoch_number = m.epoch_number
    and e.stream = 'money'`;
  const { rows } = await sql<InflowRow>`select ${lineKey('m')} as ${sql.ref('key')},
      concat('posting ', m.posting_id) as stored
    from money_lines m where m.bank_id = ${bankId}
      and not exists (select 1 from computer_streams e where ${ofLine})
      and not exists (select 1 from former_epochs e where ${ofLine})
    order by m.computer_id, m.epoch_number, m.n`.execute(db);
  return rows;
}

/** Held lines that were resolved without the posting of their line, or have one although they were not resolved. */
export async function listWrongResolutions(db: Db, { bankId }: WholeGrantedBank): Promise<InflowRow[]> {
  const { rows } = await sql<InflowRow>`select concat('held line ', h.held_id) as ${sql.ref('key')},
      concat(h.state, ' with posting ', coalesce(h.posting_id, 0)) as stored
    from held_lines h left join money_lines m on h.stream = 'money' and m.bank_id = h.bank_id
      and m.computer_id = h.computer_id and m.epoch_number = h.epoch_number and m.n = h.n
    where h.bank_id = ${bankId} and case when h.state = 'resolved'
      then m.posting_id is null or h.posting_id is null or m.posting_id <> h.posting_id
      else m.posting_id is not null or h.posting_id is not null end
    order by h.held_id`.execute(db);
  return rows;
}
