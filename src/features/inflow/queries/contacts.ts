// Records when computers and their units were last heard of, to within some seconds: most requests write nothing.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { UnitKey, WholeGrantedBank } from '../../../permissions/coverage.ts';

const contactPrecisionMs = 5000;

export type UnitContact = {
  readonly unit: UnitKey;
  /** The one that is stored, MS2000. */
  readonly before: number | null;
  readonly at: number;
};

/** A contact never becomes earlier. */
export async function recordUnitContacts(
  db: WriteDb,
  { bankId }: WholeGrantedBank,
  contacts: readonly UnitContact[],
): Promise<void> {
  for (const { unit, before, at } of contacts) {
    if (before !== null && at - before < contactPrecisionMs) continue;
    await runPrepared(db, 'record unit contact', { ...unit, bankId, at }, (bind) =>
      db
        .updateTable('units')
        .set({ last_contact_at: bind<number>('at') })
        .where('bank_id', '=', bind<number>('bankId'))
        .where('location_id', '=', bind<number>('locationId'))
        .where('unit_id', '=', bind<number>('unitId'))
        .where(sql<boolean>`(last_contact_at is null or last_contact_at < ${bind<number>('at')})`),
    );
  }
}

type ComputerContact = {
  readonly software: string | undefined;
  readonly buffered: number | undefined;
  readonly clockOffsetMs: number | undefined;
  readonly now: number;
};

/** An offset that differs by less is that of the way that the request took. */
const offsetPrecisionMs = 1000;

/** Runs before the transaction reads anything, so that another stream of the computer only waits. */
export async function recordComputerContact(
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
