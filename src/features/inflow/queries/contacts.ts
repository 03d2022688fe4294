// Records when computers and their units were last heard of, to within some seconds: most requests write nothing.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { UnitKey, WholeGrantedBank } from '../../../permissions/coverage.ts';

const contactPrecisionMs = 5000;

export type UnitContact = {
  readonly unit: UnitKey;
  /** The one that is stored, MS2000. */
  readonly before: number | null;
  readonly at: number;
};

/** A lock of each unit whose contact has to be written: the rows are those of the locks of units. */
export const listUnitContactLocks = (bank: WholeGrantedBank, contacts: readonly UnitContact[]): Lock[] =>
  contacts
    .filter(({ before, at }) => before === null || at - before >= contactPrecisionMs)
    .map((contact) => unitContactLock(bank, contact));

const unitContactLock = (bank: WholeGrantedBank, contact: UnitContact): Lock<void> =>
  createLock('unit', [bank.bankId, contact.unit.locationId, contact.unit.unitId], {
    update: (db) => recordUnitContact(db, bank, contact),
  });

/** A contact never becomes earlier. */
async function recordUnitContact(
  db: WriteDb,
  { bankId }: WholeGrantedBank,
  { unit: { locationId, unitId }, at }: UnitContact,
): Promise<void> {
  await runPrepared(db, 'record unit contact', { locationId, unitId, bankId, at }, (bind) =>
    db
      .updateTable('units')
      .set({ last_contact_at: bind<number>('at') })
      .where('bank_id', '=', bind<number>('bankId'))
      .where('location_id', '=', bind<number>('locationId'))
      .where('unit_id', '=', bind<number>('unitId'))
      .where(sql<boolean>`(last_contact_at is null or last_contact_at < ${bind<number>('at')})`),
  );
}

type ComputerContact = {
  readonly software: string | undefined;
  readonly buffered: number | undefined;
  readonly clockOffsetMs: number | undefined;
  readonly now: number;
};

/** An offset that differs by less is that of the way that the request took. */
const offsetPrecisionMs = 1000;

/** A lock, so that another stream of the computer only waits. */
export const computerContactLock = (bank: WholeGrantedBank, computerId: number, contact: ComputerContact): Lock<void> =>
  createLock('computer-state', [bank.bankId, computerId], {
    update: (db) => recordComputerContact(db, bank, computerId, contact),
  });

async function recordComputerContact(
  db: WriteDb,
  { bankId }: WholeGrantedBank,
  computerId: number,
  { software, buffered, clockOffsetMs, now }: ComputerContact,
): Promise<void> {
  await sql`update computer_states set
      last_contact_at = case when last_contact_at is null or last_contact_at < ${now} then ${now} else last_contact_at end,
      software = coalesce(${software ?? null}, software),
      buffered = coalesce(${buffered ?? null}, buffered),
      clock_offset_ms = coalesce(${clockOffsetMs ?? null}, clock_offset_ms)
    where bank_id = ${bankId} and computer_id = ${computerId}
      and (last_contact_at is null or last_contact_at < ${now - contactPrecisionMs}
        or software <> coalesce(${software ?? null}, software) or buffered <> coalesce(${buffered ?? null}, buffered)
        or (${clockOffsetMs ?? null} is not null
          and (clock_offset_ms is null or abs(clock_offset_ms - ${clockOffsetMs ?? 0}) >= ${offsetPrecisionMs})))`.execute(
    db,
  );
}
