// Inserts computers of a test with their keys, as if they had been created and had enrolled.

import { randomBytes } from 'node:crypto';
import type { WriteDb } from '../../src/database/db.ts';
import { formatComputerKey, hashComputerSecret } from '../../src/features/computers/rules/computer-key.ts';
import { secretBytes } from '../../src/lib/values/checksummed-secret.ts';

type EnrolledComputer = {
  readonly bankId?: number;
  readonly computerId?: number;
  readonly name?: string;
  /** `[location id, unit id]` */
  readonly units?: readonly (readonly [locationId: number, unitId: number])[];
};

/** Returns the key. */
export async function insertEnrolledComputer(
  db: WriteDb,
  { bankId = 1001, computerId = 1, name = `computer ${computerId}`, units = [] }: EnrolledComputer = {},
): Promise<string> {
  const key = formatComputerKey(randomBytes(secretBytes));
  await db.dialect.upsertRows(db, 'computer_heads', [{ bank_id: bankId, allocated: computerId }], {
    key: ['bank_id'],
    sum: [],
    max: ['allocated'],
  });
  await db
    .insertInto('computers')
    .values({
      bank_id: bankId,
      computer_id: computerId,
      name,
      created_at: 0,
      code_hash: null,
      code_expires_at: null,
      code_environment: null,
      revoked_at: null,
      desired_from: 0,
      revision: 1,
      writes: 0,
    })
    .execute();
  await db
    .insertInto('computer_keys')
    .values({
      key_hash: hashComputerSecret(key),
      bank_id: bankId,
      computer_id: computerId,
      environment: 'production',
      created_at: 0,
      first_used_at: 0,
    })
    .execute();
  await db
    .insertInto('computer_states')
    .values({
      bank_id: bankId,
      computer_id: computerId,
      serial: `serial ${computerId}`,
      software: '1',
      last_contact_at: null,
      clock_offset_ms: null,
      buffered: 0,
      sent_version: 0,
      acknowledged_version: 0,
      digests_equal: null,
      last_error: null,
    })
    .execute();
  for (const stream of ['money', 'samples'])
    await db
      .insertInto('computer_streams')
      .values({
        bank_id: bankId,
        computer_id: computerId,
        stream,
        epoch: '',
        epoch_number: 0,
        through: 0,
        booked: 0,
        held: 0,
        other: 0,
        received_at: null,
        writes: 0,
      })
      .execute();
  for (const [locationId, unitId] of units)
    await db
      .updateTable('units')
      .set({ computer_name: name })
      .where('bank_id', '=', bankId)
      .where('location_id', '=', locationId)
      .where('unit_id', '=', unitId)
      .execute();
  return key;
}
