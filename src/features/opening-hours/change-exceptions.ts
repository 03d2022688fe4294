// Changes opening exceptions of a bank: their rows, the records by which devices learn of them, and audit entries.

import type { WriteDb } from '../../database/db.ts';
import { replaceRows } from '../../database/statements/insert-rows.ts';
import { requireLock } from '../../database/locks.ts';
import { formatBankKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import type { UnitKey, WholeGrantedBank } from '../../permissions/coverage.ts';
import { appendAudits, type AuditRecord } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { queueSyncs } from '../outbox/queries/outbox.ts';
import { unitsLock } from '../units/queries/write-setting.ts';
import { deleteException, listWrittenWeekdays, type WrittenWeekday } from './queries/opening-exceptions.ts';

type Exception = { readonly intervals: string; readonly text: string };

export type ExceptionChange = {
  /** Unit 0 is every unit of the location. */
  readonly place: UnitKey;
  readonly day: string;
  /** Null if there was none, or will be none. */
  readonly before: Exception | null;
  readonly after: Exception | null;
};

/** The caller has taken the locks of the outbox and of the bank's units. */
export async function changeExceptions(
  db: WriteDb,
  actor: AuditContext,
  bank: WholeGrantedBank,
  changes: readonly ExceptionChange[],
): Promise<void> {
  requireLock(db, unitsLock(bank));
  if (changes.length === 0) return;
  const rows = changes.flatMap(({ place: { locationId, unitId }, day, after }) =>
    after === null ? [] : [{ bank_id: bank.bankId, location_id: locationId, unit_id: unitId, day, ...after }],
  );
  await replaceRows(db, 'opening_exceptions', rows);
  for (const { place, day, after } of changes) if (after === null) await deleteException(db, place, day);
  await queueHours(db, bank, changes, actor.now);
  await appendAudits(
    db,
    actor,
    changes.map((change) => toAudit(bank, change)),
  );
}

/**
 * The hours of a unit are one thing for its device, which the record of any of its weekdays sends. So one weekday of each
 * unit is sent again; a unit that never had hours has none to send.
 */
async function queueHours(
  db: WriteDb,
  bank: WholeGrantedBank,
  changes: readonly ExceptionChange[],
  now: number,
): Promise<void> {
  const places = new Set(changes.map(({ place }) => keyOf(place.locationId, place.unitId)));
  const locationIds = [...new Set(changes.map(({ place }) => place.locationId))];
  const weekdays = new Map<string, WrittenWeekday>();
  for (const row of await listWrittenWeekdays(db, bank, locationIds)) {
    const isConcerned = places.has(keyOf(row.location_id, 0)) || places.has(keyOf(row.location_id, row.unit_id));
    if (isConcerned) weekdays.set(keyOf(row.location_id, row.unit_id), row);
  }
  const rows = [...weekdays.values()];
  const records = rows.map(({ location_id, unit_id, version }) => ({
    subjectKind: 'setting' as const,
    subjectId: version,
    locationId: location_id,
    unitId: unit_id,
  }));
  const firstSyncId = await queueSyncs(db, bank, records, now);
  const sent = rows.map((row, index) => ({ ...row, sync_id: firstSyncId + index }));
  // The row of the history is the same.
  await replaceRows(db, 'unit_settings', sent);
  await replaceRows(db, 'unit_setting_history', sent);
}

const keyOf = (locationId: number, unitId: number): string => `${locationId}-${unitId}`;

function toAudit(bank: WholeGrantedBank, { place, day, before, after }: ExceptionChange): AuditRecord {
  const locationKid = formatLocationKid(formatBankKid(bank.tenant, bank.bankId), place.locationId);
  return {
    object: place.unitId === 0 ? locationKid : formatUnitKid(locationKid, place.unitId),
    bankId: bank.bankId,
    before: { day, openingException: before?.intervals ?? null, text: before?.text ?? null },
    after: { day, openingException: after?.intervals ?? null, text: after?.text ?? null },
  };
}
