// Lists the computers whose clock is wrong, by their last contact, the latest first.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { clockWrongMs, computerSilentMs } from '../rules/computer-bounds.ts';
import { listComputerAlerts, selectEnrolledComputers } from './computer-units.ts';
import type { AlertUnitRow } from './visible-units.ts';

type ClockOptions = {
  /** MS2000. */
  readonly now: number;
  readonly limit: number;
};

export function listClockWrongComputers(db: Db, scope: Scope, { now, limit }: ClockOptions): Promise<AlertUnitRow[]> {
  const computers = selectEnrolledComputers(db)
    .select(['c.bank_id', 'c.computer_id', sql<number>`max(t.last_contact_at)`.as('alert_at')])
    .where('t.last_contact_at', '>=', now - computerSilentMs)
    .where(sql<SqlBool>`abs(t.clock_offset_ms) >= ${clockWrongMs}`)
    .groupBy(['c.bank_id', 'c.computer_id']);
  return listComputerAlerts(db, scope, computers, limit);
}
