// Rows of computers, of lines that are held, and of records of the outbox, for the tenant status.

import type { WriteDb } from '../../../src/database/db.ts';
import { insertRows } from '../../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../../src/database/tables.ts';
import { dayMs, minuteMs, testNow } from '../../support/times.ts';

type ComputerKey = { readonly bankId: number; readonly computerId: number; readonly name: string };

/** A computer that is all right, but for what is told. It has no state where that is null: it was never enrolled. */
export async function insertComputer(
  db: WriteDb,
  { bankId, computerId, name }: ComputerKey,
  state: Partial<Tables['computer_states']> | null = {},
  computer: Partial<Tables['computers']> = {},
): Promise<void> {
  const key = { bank_id: bankId, computer_id: computerId };
  await insertRows(db, 'computers', [
    {
      ...key,
      name,
      created_at: testNow - 30 * dayMs,
      code_hash: null,
      code_expires_at: null,
      code_environment: null,
      revoked_at: null,
      desired_from: 0,
      revision: 1,
      writes: 0,
      ...computer,
    },
  ]);
  if (state === null) return;
  await insertRows(db, 'computer_states', [
    {
      ...key,
      serial: 'S-1',
      software: '2.4.1',
      last_contact_at: testNow - minuteMs,
      clock_offset_ms: 0,
      buffered: 0,
      sent_version: 0,
      acknowledged_version: 0,
      digests_equal: 1,
      last_error: null,
      ...state,
    },
  ]);
}

export const heldLineRow = (
  bankId: number,
  heldId: number,
  row: Partial<Tables['held_lines']> = {},
): Tables['held_lines'] => ({
  bank_id: bankId,
  held_id: heldId,
  computer_id: 1,
  stream: 'money',
  epoch_number: 1,
  n: heldId,
  code: 'unknown-key',
  received_at: testNow - dayMs + heldId,
  clock_offset_ms: null,
  line: '{}',
  location_id: 1,
  unit_id: 1,
  state: 'held',
  posting_id: null,
  resolved_at: null,
  resolved_by: null,
  reason: null,
  revision: 1,
  ...row,
});

/** A setting of unit 1 that was queued a day ago. */
export const syncRow = (
  bankId: number,
  syncId: number,
  row: Partial<Tables['device_sync']> = {},
): Tables['device_sync'] => ({
  bank_id: bankId,
  sync_id: syncId,
  subject_kind: 'setting',
  subject_id: 1,
  location_id: 1,
  unit_id: 1,
  state: 'queued',
  attempts: 0,
  created_at: testNow - dayMs,
  updated_at: testNow - dayMs,
  detail: null,
  code: null,
  ...row,
});

const tables = ['device_sync', 'held_lines', 'computer_states', 'computers'] as const;

export async function deleteComputers(db: WriteDb): Promise<void> {
  for (const table of tables) await db.deleteFrom(table).execute();
}
