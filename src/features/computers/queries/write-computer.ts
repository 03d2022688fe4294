// Writes computers: their ids, their codes, the units that they have, and what enrolling and revoking change.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { Environment } from '../../../permissions/scope.ts';
import type { UnitKey, WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { ComputerKey } from './computer-keys.ts';

/** Every write that creates a computer of the bank takes this lock; its result is the next id. */
export const computersLock = ({ bankId }: WholeGrantedBank): Lock<number> =>
  createLock('computers', [bankId], {
    update: (db) =>
      db.dialect.upsertRows(db, 'computer_heads', [{ bank_id: bankId, allocated: 1 }], {
        key: ['bank_id'],
        sum: ['allocated'],
      }),
    read: async (db) => {
      const { allocated } = await db
        .selectFrom('computer_heads')
        .select('allocated')
        .where('bank_id', '=', bankId)
        .executeTakeFirstOrThrow();
      return allocated;
    },
  });

export type NewCode = {
  readonly hash: string;
  /** MS2000. */
  readonly expiresAt: number;
  /** The environment in which it can be used. */
  readonly environment: Environment;
};

type NewComputer = { readonly computerId: number; readonly name: string; readonly code: NewCode; readonly now: number };

export async function insertComputer(
  db: WriteDb,
  { bankId }: WholeGrantedBank,
  { computerId, name, code, now }: NewComputer,
): Promise<void> {
  await db
    .insertInto('computers')
    .values({
      bank_id: bankId,
      computer_id: computerId,
      name,
      created_at: now,
      ...codeColumns(code),
      revoked_at: null,
      desired_from: outboxHead(db, bankId),
      revision: 1,
      writes: 0,
    })
    .execute();
}

/** How many records the outbox of the bank has. */
const outboxHead = (db: WriteDb, bankId: number) =>
  sql<number>`coalesce((${db.selectFrom('device_sync_heads').select('queued').where('bank_id', '=', bankId)}), 0)`;

const codeColumns = ({ hash, expiresAt, environment }: NewCode) => ({
  code_hash: hash,
  code_expires_at: expiresAt,
  code_environment: environment,
});

const noCode = { code_hash: null, code_expires_at: null, code_environment: null };

export type ConnectedUnit = {
  readonly location_id: number;
  readonly unit_id: number;
  /** The name of the computer that has the unit and is not revoked; null if none has it. */
  readonly owner: string | null;
};

/** Those of the units, of which there is one at least, that exist. */
export const listConnectedUnits = (
  db: Db,
  { bankId }: WholeGrantedBank,
  units: readonly UnitKey[],
): Promise<ConnectedUnit[]> =>
  db
    .selectFrom('units as u')
    .innerJoin('locations as l', onEqual('l', 'u', 'bank_id', 'location_id'))
    .leftJoin('computers as c', (join) =>
      join.onRef('c.bank_id', '=', 'u.bank_id').onRef('c.name', '=', 'u.computer_name').on('c.revoked_at', 'is', null),
    )
    .select(['u.location_id', 'u.unit_id', 'c.name as owner'])
    .where('u.bank_id', '=', bankId)
    .where(({ eb, or }) =>
      or(
        groupByLocation(units).map(([locationId, unitIds]) =>
          eb.and([eb('u.location_id', '=', locationId), eb('u.unit_id', 'in', unitIds)]),
        ),
      ),
    )
    .where('u.deleted_at', 'is', null)
    .where('l.deleted_at', 'is', null)
    .execute();

/** Gives the units to the computer of a name, and no others: units that no computer has can have any name. */
export async function connectUnits(
  db: WriteDb,
  { bankId }: WholeGrantedBank,
  name: string,
  units: readonly UnitKey[],
): Promise<void> {
  await db
    .updateTable('units')
    .set({ computer_name: null })
    .where('bank_id', '=', bankId)
    .where('computer_name', '=', name)
    .execute();
  for (const [locationId, unitIds] of groupByLocation(units))
    await db
      .updateTable('units')
      .set({ computer_name: name })
      .where('bank_id', '=', bankId)
      .where('location_id', '=', locationId)
      .where('unit_id', 'in', unitIds)
      .execute();
}

/** In the order of their ids. */
const groupByLocation = (units: readonly UnitKey[]): [locationId: number, unitIds: number[]][] =>
  [...Map.groupBy(units, ({ locationId }) => locationId)]
    .map(([locationId, ofLocation]): [number, number[]] => [locationId, ofLocation.map(({ unitId }) => unitId)])
    .toSorted(([a], [b]) => a - b);

const updateComputer = (db: WriteDb, { bankId, computerId }: ComputerKey) =>
  db
    .updateTable('computers')
    .set({ revision: sql<number>`revision + 1` })
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId);

/** The code that was given out before ends. */
export async function replaceCode(db: WriteDb, computer: ComputerKey, code: NewCode): Promise<void> {
  await updateComputer(db, computer).set(codeColumns(code)).execute();
}

/** The code was used, by a computer that knows nothing yet. */
export async function endCode(db: WriteDb, computer: ComputerKey): Promise<void> {
  await updateComputer(db, computer)
    .set({ ...noCode, desired_from: outboxHead(db, computer.bankId) })
    .execute();
}

/** Ends the code as well as the keys. */
export async function revokeComputerRow(db: WriteDb, computer: ComputerKey, now: number): Promise<void> {
  await updateComputer(db, computer)
    .set({ ...noCode, revoked_at: now })
    .execute();
  await deleteComputerKeys(db, computer);
}

export async function deleteComputerKeys(db: WriteDb, { bankId, computerId }: ComputerKey): Promise<void> {
  await db.deleteFrom('computer_keys').where('bank_id', '=', bankId).where('computer_id', '=', computerId).execute();
}
