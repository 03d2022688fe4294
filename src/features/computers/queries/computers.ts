// Reads computers with what they last said of themselves, their units and streams, and how many of their lines are held.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { jsonArrayOf } from '../../../database/statements/json-rows.ts';
import { findPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import { isWhole, type GrantedBank, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { StreamName } from '../rules/streams.ts';
import { applySlice, runSliceQuery, type RowSlice } from '../../places/queries/row-slice.ts';

type Computers = Tables['computers'];
type States = Tables['computer_states'];

export type ComputerRow = Pick<Computers, 'computer_id' | 'name' | 'revoked_at' | 'revision'> &
  /** Null before the computer was enrolled. */
  { readonly [K in Exclude<keyof States, 'bank_id' | 'computer_id'>]: States[K] | null } & {
  /** How many records the outbox of the bank has; null if none yet. */
  readonly queued: number | null;
  /** JSON of `[location, unit]`, in no order; null if there are none. */
  readonly units: string | null;
  /** JSON of `[stream, epoch, through]`, in no order. */
  readonly streams: string | null;
  readonly held_money: number | null;
  readonly held_samples: number | null;
};

const stateColumns = [
  's.serial',
  's.software',
  's.last_contact_at',
  's.clock_offset_ms',
  's.buffered',
  's.sent_version',
  's.acknowledged_version',
  's.digests_equal',
  's.last_error',
] as const;

/** Undefined if there is no such computer, or the grants cover none of its units. */
export async function findComputer(db: Db, bank: GrantedBank, computerId: number): Promise<ComputerRow | undefined> {
  const [row] = await listComputers(db, bank, { ids: [computerId] });
  return row;
}

/** Finds a computer by its name. */
export const findComputerByName = (
  db: Db,
  bank: WholeGrantedBank,
  name: string,
): Promise<{ readonly computer_id: number } | undefined> =>
  findPrepared(db, 'find computer by name', { bankId: bank.bankId, name }, (bind) =>
    db
      .selectFrom('computers')
      .select('computer_id')
      .where('bank_id', '=', bind<number>('bankId'))
      .where('name', '=', bind<string>('name')),
  );

/** The computers of a bank; where the grants cover only some of its locations, those with units there. */
export const listComputers = (db: Db, bank: GrantedBank, slice: RowSlice): Promise<ComputerRow[]> =>
  runSliceQuery(
    db,
    { shape: isWhole(bank) ? 'computers' : undefined, values: { bankId: bank.bankId }, slice },
    (bind) => applySlice(selectComputers(db, bank, bind), 'c.computer_id', slice, bind),
  );

/** The values by which the same computers are searched and sorted. */
export const listComputerSearchRows = (db: Db, bank: GrantedBank) =>
  selectVisible(db, bank, () => sql`${bank.bankId}`)
    .select(['c.computer_id', 'c.name', 's.last_contact_at'])
    .execute();

const selectComputers = (db: Db, bank: GrantedBank, bind: BindParameter) =>
  selectVisible(db, bank, bind)
    .leftJoin('device_sync_heads as h', 'h.bank_id', 'c.bank_id')
    .select(['c.computer_id', 'c.name', 'c.revoked_at', 'c.revision', 'h.queued'])
    .select(stateColumns)
    .select([
      selectUnits(db, bind)
        .select(db.dialect.aggregateJson(jsonArrayOf(['u.location_id', 'u.unit_id'])).as('units'))
        .as('units'),
      db
        .selectFrom('computer_streams as t')
        .select(db.dialect.aggregateJson(jsonArrayOf(['t.stream', 't.epoch', 't.through'])).as('streams'))
        .where('t.bank_id', '=', sql.ref<number>('c.bank_id'))
        .where('t.computer_id', '=', sql.ref<number>('c.computer_id'))
        .as('streams'),
      countHeld(db, 'money').as('held_money'),
      countHeld(db, 'samples').as('held_samples'),
    ]);

function selectVisible(db: Db, bank: GrantedBank, bind: BindParameter) {
  const all = db
    .selectFrom('computers as c')
    .leftJoin('computer_states as s', onEqual('s', 'c', 'bank_id', 'computer_id'))
    .where('c.bank_id', '=', bind<number>('bankId'));
  if (bank.coverage === 'all') return all;
  const covered = selectUnits(db, bind)
    .select('u.unit_id')
    .where('u.location_id', 'in', [...bank.coverage]);
  return all.where(({ exists }) => exists(covered));
}

/** The units of the computer `c`, as `listComputerUnits` has them. */
const selectUnits = (db: Db, bind: BindParameter) =>
  db
    .selectFrom('units as u')
    .innerJoin('locations as l', onEqual('l', 'u', 'bank_id', 'location_id'))
    .where('u.bank_id', '=', bind<number>('bankId'))
    .where('u.computer_name', '=', sql.ref<string>('c.name'))
    .where('u.deleted_at', 'is', null)
    .where('l.deleted_at', 'is', null);

/** How many lines of a stream of the computer `c` wait for a manager. */
const countHeld = (db: Db, stream: StreamName) =>
  db
    .selectFrom('held_lines as x')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('x.state', '=', sql.lit('held'))
    .where('x.bank_id', '=', sql.ref<number>('c.bank_id'))
    .where('x.computer_id', '=', sql.ref<number>('c.computer_id'))
    .where('x.stream', '=', sql.lit(stream));
