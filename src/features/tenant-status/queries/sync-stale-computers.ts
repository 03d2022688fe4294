// Lists the computers whose clock is wrong, and those that do not know what they should: those that were in contact and
// left a record of the outbox unconfirmed, and those whose digests are not those of the service.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { unionAll } from '../../../database/statements/union-all.ts';
import type { SyncState } from '../../outbox/rules/sync-state.ts';
import { listComputerAlerts, selectEnrolledComputers } from './computer-units.ts';
import { selectVisibleUnits, type AlertUnitRow, type LookupOptions } from './visible-units.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/time/durations.ts';
import type { Scope } from '../../../permissions/scope.ts';

/** By when the oldest record was queued, or where only the digests differ by the last contact; the latest first. */
export function listSyncStaleComputers(db: Db, scope: Scope, { now, limit }: LookupOptions): Promise<AlertUnitRow[]> {
  const stale = selectUnconfirmed(db, scope, now).unionAll(selectDifferent(db, now));
  const computers = db
    .selectFrom(stale.as('s'))
    .select((eb) => ['s.bank_id', 's.computer_id', eb.fn.min<number>('s.alert_at').as('alert_at')])
    .groupBy(['s.bank_id', 's.computer_id']);
  return listComputerAlerts(db, scope, computers, limit);
}

const selectDifferent = (db: Db, now: number) =>
  selectEnrolledComputers(db)
    .select(['c.bank_id', 'c.computer_id', sql<number>`t.last_contact_at`.as('alert_at')])
    .where('t.last_contact_at', '>=', now - computerSilentMs)
    .where('t.digests_equal', '=', 0);

/** The records for visible units that the grants cover. */
const selectUnconfirmed = (db: Db, scope: Scope, now: number) =>
  selectVisibleUnits(db, scope)
    .innerJoin(unionAll(waitingStates.map((state) => selectWaitingRecords(db, state))).as('w'), (join) => join.onTrue())
    .innerJoin('device_sync as d', (join) =>
      join
        .onRef('d.bank_id', '=', 'w.bank_id')
        .onRef('d.sync_id', '=', 'w.sync_id')
        .onRef('d.bank_id', '=', 'u.bank_id')
        .onRef('d.location_id', '=', 'u.location_id')
        .onRef('d.unit_id', '=', 'u.unit_id'),
    )
    .innerJoin('computers as c', onEqual('c', 'u', 'bank_id', ['name', 'computer_name']))
    .innerJoin('computer_states as t', onEqual('t', 'c', 'bank_id', 'computer_id'))
    .clearSelect()
    .select(['c.bank_id', 'c.computer_id', 'd.created_at as alert_at'])
    .where('c.revoked_at', 'is', null)
    .where('t.last_contact_at', '>=', now - computerSilentMs)
    .where((eb) => eb('d.created_at', '<=', eb('t.last_contact_at', '-', syncStaleMs)))
    // What was queued before a computer was there, it learns in its first hour.
    .where((eb) => eb('c.created_at', '<=', eb('t.last_contact_at', '-', syncStaleMs)));

const waitingStates: readonly SyncState[] = ['queued', 'sent'];

/**
 * Only the outboxes of banks with computers are read: without one nobody confirms. The index by state finds these records
 * without reading those that were confirmed.
 */
const selectWaitingRecords = (db: Db, state: SyncState) =>
  db
    .selectFrom('device_sync as q')
    .select(['q.bank_id', 'q.sync_id'])
    .where('q.bank_id', 'in', db.selectFrom('computers').select('bank_id'))
    .where('q.state', '=', state)
    .where(db.dialect.interruptCheck(sql.ref('q.sync_id')));

export function listClockWrongComputers(db: Db, scope: Scope, { now, limit }: LookupOptions): Promise<AlertUnitRow[]> {
  const computers = selectEnrolledComputers(db)
    .select(['c.bank_id', 'c.computer_id', sql<number>`max(t.last_contact_at)`.as('alert_at')])
    .where('t.last_contact_at', '>=', now - computerSilentMs)
    .where(sql<SqlBool>`abs(t.clock_offset_ms) >= ${clockWrongMs}`)
    .groupBy(['c.bank_id', 'c.computer_id']);
  return listComputerAlerts(db, scope, computers, limit);
}

/**
 * How wrong a clock is that is shown. From two seconds on times are corrected; a line whose time is five minutes ahead is
 * held, so that a clock that drifts is shown before lines are.
 */
const clockWrongMs = 2 * minuteMs;

/** How long a computer that is in contact may leave a record unconfirmed. */
const syncStaleMs = hourMs;

/** What a computer said longer ago than this is not shown, as units that are silent for longer are not. */
const computerSilentMs = 100 * dayMs;
