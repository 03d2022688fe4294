// Reads the records of the outbox that concern a computer, and writes what became of them.

import type { Tables } from '../../../database/tables.ts';
import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { SubjectKind, SyncState } from '../../outbox/rules/sync-state.ts';
import { openingSettingNames } from '../../units/catalogue/opening-settings.ts';

export type OutboxRecord = Pick<
  Tables['device_sync'],
  'sync_id' | 'subject_id' | 'location_id' | 'unit_id' | 'detail'
> & {
  readonly subject_kind: SubjectKind;
  readonly state: SyncState;
};

/** The last version of the bank's outbox. */
export async function readDesiredHead(db: Db, { bankId }: GrantedBank): Promise<number> {
  const row = await db
    .selectFrom('device_sync_heads')
    .select('queued')
    .where('bank_id', '=', bankId)
    .executeTakeFirst();
  return row?.queued ?? 0;
}

/** A record without a unit concerns every computer of the bank. */
export const isForComputer = (computerName: string) => sql<boolean>`(d.unit_id = 0 or exists (
  select 1 from units as u where u.bank_id = d.bank_id and u.location_id = d.location_id and u.unit_id = d.unit_id
    and u.computer_name = ${computerName} and u.deleted_at is null))`;

const selectRecords = (db: Db, bankId: number) =>
  db
    .selectFrom('device_sync as d')
    .select(['sync_id', 'subject_kind', 'subject_id', 'd.location_id', 'd.unit_id', 'state', 'detail'])
    .where('d.bank_id', '=', bankId)
    .orderBy('sync_id');

type RecordsInput = {
  readonly computerName: string;
  readonly after: number;
  /** The last version of the outbox that the read takes. */
  readonly through: number;
  readonly limit: number;
};

/** In the order of versions. Those that were overtaken or have expired are of no interest to anybody. */
export async function listRecordsAfter(
  db: Db,
  { bankId }: GrantedBank,
  { computerName, after, through, limit }: RecordsInput,
): Promise<OutboxRecord[]> {
  const rows = await selectRecords(db, bankId)
    .where('sync_id', '>', after)
    .where('sync_id', '<=', through)
    .where('state', 'not in', ['superseded', 'expired'])
    .where(isForComputer(computerName))
    .limit(limit)
    .execute();
  return rows as OutboxRecord[];
}

/** Records whose subjects have to be told even to a computer that reads everything: what is done once, and is not done yet. */
export async function listOpenRecords(
  db: Db,
  { bankId }: GrantedBank,
  { computerName, kinds }: { readonly computerName: string; readonly kinds: readonly SubjectKind[] },
): Promise<OutboxRecord[]> {
  const rows = await selectRecords(db, bankId)
    .where('state', 'in', ['queued', 'sent'])
    .where('subject_kind', 'in', kinds)
    .where(isForComputer(computerName))
    .execute();
  return rows as OutboxRecord[];
}

/** Changes the state of those records that are in one of these states. */
export async function moveRecords(
  db: WriteDb,
  { bankId }: GrantedBank,
  syncIds: readonly number[],
  { from, to, now }: { readonly from: readonly SyncState[]; readonly to: SyncState; readonly now: number },
): Promise<void> {
  if (syncIds.length === 0) return;
  await db
    .updateTable('device_sync')
    .set({ state: to, updated_at: now, attempts: sql<number>`attempts + ${to === 'sent' ? 1 : 0}` })
    .where('bank_id', '=', bankId)
    .where('sync_id', 'in', syncIds)
    .where('state', 'in', from)
    .execute();
}

/** Values that were sent or refused before they were replaced: a device that has the newer value needs them no longer. */
export async function supersedeReplacedSettings(
  db: WriteDb,
  bank: GrantedBank,
  { through, now }: { readonly through: number; readonly now: number },
): Promise<void> {
  const { rows } = await sql<{ sync_id: number }>`select d.sync_id from device_sync as d
    where d.bank_id = ${bank.bankId} and d.state in ('sent', 'failed') and d.sync_id <= ${through}
      and d.subject_kind = 'setting' and not exists (select 1 from unit_settings as s where s.bank_id = d.bank_id
        and s.location_id = d.location_id and s.unit_id = d.unit_id and s.sync_id = d.sync_id)`.execute(db);
  const replaced = rows.map(({ sync_id }) => sync_id);
  await moveRecords(db, bank, replaced, { from: ['sent', 'failed'], to: 'superseded', now });
}

/**
 * Lists those of the records that are of the computer's units. They are read without locks: an update that asked for
 * the units would lock them.
 */
export async function listOwnRecords(
  db: Db,
  { bankId }: GrantedBank,
  computerName: string,
  syncIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (syncIds.length === 0) return new Set();
  const { rows } = await sql<{ sync_id: number }>`select d.sync_id from device_sync as d
    where d.bank_id = ${bankId} and d.sync_id in (${sql.join(syncIds)}) and ${isOfUnits(computerName)}`.execute(db);
  return new Set(rows.map(({ sync_id }) => sync_id));
}

const isOfUnits = (computerName: string) => sql<boolean>`exists (
  select 1 from units as u where u.bank_id = d.bank_id and u.location_id = d.location_id and u.unit_id = d.unit_id
    and u.computer_name = ${computerName})`;

type Answered = {
  readonly state: Extract<SyncState, 'acknowledged' | 'failed'>;
  readonly code: string | null;
  readonly from: readonly SyncState[];
  readonly now: number;
};

/** What a device says of records. A late answer to what was overtaken changes nothing. */
export async function answerRecords(
  db: WriteDb,
  { bankId }: GrantedBank,
  syncIds: readonly number[],
  { state, code, from, now }: Answered,
): Promise<void> {
  for (let start = 0; start < syncIds.length; start += maxIdsPerStatement)
    await db
      .updateTable('device_sync')
      .set({ state, code, updated_at: now })
      .where('bank_id', '=', bankId)
      .where('sync_id', 'in', syncIds.slice(start, start + maxIdsPerStatement))
      .where('state', 'in', from)
      .execute();
}

const maxIdsPerStatement = 500;

/** The hours of a unit are one thing: what acknowledged one day's record acknowledged the earlier ones of the other days. */
export async function acknowledgeEarlierHours(
  db: WriteDb,
  bank: GrantedBank,
  { computerName, now }: { readonly computerName: string; readonly now: number },
  syncIds: readonly number[],
): Promise<void> {
  if (syncIds.length === 0) return;
  const { bankId } = bank;
  const names = sql.join(openingSettingNames);
  const { rows } = await sql<{ sync_id: number }>`select distinct own.sync_id from units as u
    join unit_settings as own on own.bank_id = u.bank_id and own.location_id = u.location_id
      and own.unit_id = u.unit_id and own.name in (${names})
    join unit_settings as later on later.bank_id = u.bank_id and later.location_id = u.location_id
      and later.unit_id = u.unit_id and later.name in (${names})
    where u.bank_id = ${bankId} and u.computer_name = ${computerName}
      and later.sync_id > own.sync_id and later.sync_id in (${sql.join(syncIds)})`.execute(db);
  const earlier = rows.map(({ sync_id }) => sync_id);
  await answerRecords(db, bank, earlier, { state: 'acknowledged', code: null, from: ['sent', 'failed'], now });
}

/** Everything of the computer's units up to a version was applied at once, by a snapshot. */
export async function acknowledgeThrough(
  db: WriteDb,
  bank: GrantedBank,
  { computerName, through, now }: { readonly computerName: string; readonly through: number; readonly now: number },
): Promise<void> {
  // A snapshot does not have commands that had expired.
  const { rows: expired } = await sql<{ sync_id: number }>`select d.sync_id from device_sync as d
    join unit_commands as c on c.bank_id = d.bank_id and c.command_id = d.subject_id
    where d.bank_id = ${bank.bankId} and d.state = 'queued' and d.sync_id <= ${through} and d.subject_kind = 'command'
      and c.expires_at <= ${now}`.execute(db);
  const expiredIds = expired.map(({ sync_id }) => sync_id);
  await moveRecords(db, bank, expiredIds, { from: ['queued'], to: 'expired', now });
  const from = ['queued', 'sent', 'failed'] as const;
  const { rows } = await sql<{ sync_id: number }>`select d.sync_id from device_sync as d
    where d.bank_id = ${bank.bankId} and d.sync_id <= ${through} and d.state in (${sql.join(from)})
      and ${isOfUnits(computerName)}`.execute(db);
  const syncIds = rows.map(({ sync_id }) => sync_id);
  await answerRecords(db, bank, syncIds, { state: 'acknowledged', code: null, from, now });
}

/** Records that concern all computers of the bank are acknowledged when the last one has applied them. */
export async function acknowledgeShared(
  db: WriteDb,
  { bankId }: GrantedBank,
  { acknowledged, now }: { readonly acknowledged: number; readonly now: number },
): Promise<void> {
  const applied = await db
    .selectFrom('computers as c')
    .innerJoin('computer_states as s', onEqual('s', 'c', 'bank_id', 'computer_id'))
    .select(({ fn }) => fn.min('acknowledged_version').as('through'))
    .where('c.bank_id', '=', bankId)
    .where('c.revoked_at', 'is', null)
    .executeTakeFirst();
  const through = applied?.through ?? 0;
  // Those that others have not applied yet are written too: of two computers that answer on two nodes, one transaction
  // conflicts with the other, runs again, and sees that it is the last one.
  await db
    .updateTable('device_sync')
    .set({
      state: sql<string>`case when sync_id <= ${through} then 'acknowledged' else state end`,
      updated_at: now,
    })
    .where('bank_id', '=', bankId)
    .where('sync_id', '<=', Math.max(through, acknowledged))
    .where('unit_id', '=', 0)
    .where('state', 'in', ['queued', 'sent'])
    .execute();
}

/** One computer could not apply what concerns all of them. */
export async function failShared(
  db: WriteDb,
  { bankId }: GrantedBank,
  { syncId, code, now }: { readonly syncId: number; readonly code: string | null; readonly now: number },
): Promise<void> {
  await db
    .updateTable('device_sync')
    .set({ state: 'failed', code, updated_at: now })
    .where('bank_id', '=', bankId)
    .where('sync_id', '=', syncId)
    .where('unit_id', '=', 0)
    .where('state', '=', 'sent')
    .execute();
}
