// Writes many settings of a bank's units at once: values, history, records for devices and audit entries, as SetUnitSetting
// writes one.

import type { WriteDb } from '../../database/db.ts';
import { insertRows, replaceRows } from '../../database/statements/insert-rows.ts';
import { requireLock } from '../../database/locks.ts';
import { formatBankKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import type { GrantedBank, UnitKey, WholeGrantedBank } from '../../permissions/coverage.ts';
import { appendAudits, type AuditRecord } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { queueSyncs } from '../outbox/queries/outbox.ts';
import { unitsLock } from './queries/write-setting.ts';

export type SettingChange = {
  readonly unit: UnitKey;
  readonly name: string;
  readonly oldText: string | null;
  readonly text: string | null;
  /** The unit's version since the lock was taken. Settings that are written together share it. */
  readonly version: number;
};

/** The caller has taken the locks of the outbox and of the bank's units. Each setting is there once. */
export async function changeSettings(
  db: WriteDb,
  actor: AuditContext,
  bank: WholeGrantedBank,
  changes: readonly SettingChange[],
): Promise<void> {
  requireLock(db, unitsLock(bank));
  if (changes.length === 0) return;
  const records = changes.map(({ unit: { locationId, unitId }, version }) => ({
    subjectKind: 'setting' as const,
    subjectId: version,
    locationId,
    unitId,
  }));
  const firstSyncId = await queueSyncs(db, bank, records, actor.now);
  const rows = changes.map(({ unit, name, text, version }, index) => ({
    bank_id: bank.bankId,
    location_id: unit.locationId,
    unit_id: unit.unitId,
    name,
    value: text,
    version,
    changed_at: actor.now,
    // Null stands for the equipment, and for an operator, who is not known.
    editor_id: actor.kind === 'computer' ? null : actor.id,
    sync_id: firstSyncId + index,
  }));
  await replaceRows(db, 'unit_settings', rows);
  await insertRows(db, 'unit_setting_history', rows);
  await appendAudits(
    db,
    actor,
    changes.map((change) => toSettingAudit({ ...bank, ...change.unit }, change)),
  );
}

type AuditedChange = Pick<SettingChange, 'name' | 'oldText' | 'text'>;

export const toSettingAudit = (
  { tenant, bankId, locationId, unitId }: Pick<GrantedBank, 'tenant'> & UnitKey,
  { name, oldText, text }: AuditedChange,
): AuditRecord => ({
  object: formatUnitKid(formatLocationKid(formatBankKid(tenant, bankId), locationId), unitId),
  bankId,
  before: { setting: name, value: oldText },
  after: { setting: name, value: text },
});
