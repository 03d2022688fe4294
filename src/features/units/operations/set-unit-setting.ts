// SetUnitSetting: writes a value if the caller knows the current revision. The unit is locked, so that
// of several writes with one revision only the first succeeds, whichever process runs them.

import type { Static } from 'typebox';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredUnit, type GrantedUnit } from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { findManagerName } from '../../managers/queries/manager-credentials.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import type { VisibleUnitRow } from '../../places/queries/visible-places.ts';
import { requireUnit } from '../../places/require-place.ts';
import { requireEditableDefinition } from '../catalogue/type-catalogue.ts';
import { toSettingAudit } from '../change-settings.ts';
import type { ValueDefinition } from '../catalogue/value-definition.ts';
import { findStoredSetting } from '../queries/unit-values.ts';
import { unitLock, writeSetting } from '../queries/write-setting.ts';
import { toSettingRow } from '../answers.ts';
import { effectiveText, formatStoredText } from '../rules/stored-text.ts';
import type { UnitValue, UnitSettingParams, SettingUpdate } from '../schemas.ts';

type SetUnitSettingInput = Static<typeof UnitSettingParams> & Static<typeof SettingUpdate>;

/** Returns the changed setting. */
export function setUnitSetting(context: ManagerContext, input: SetUnitSettingInput): Promise<WriteAnswer<UnitValue>> {
  return context.write({
    grant: (scope) => requireCoveredUnit(scope, input.unitKid),
    locks: (unit) => [outboxLock(unit), unitLock(unit)],
    requireObject: (db, unit) => requireEditableSetting(db, unit, input.setting),
    work: (db, setting) => compareAndSetSetting(db, context, setting, input),
  });
}

type EditableSetting = {
  readonly granted: GrantedUnit;
  readonly unit: VisibleUnitRow;
  readonly definition: ValueDefinition;
};

async function requireEditableSetting(db: Db, granted: GrantedUnit, name: string): Promise<EditableSetting> {
  const unit = await requireUnit(db, granted);
  return { granted, unit, definition: requireEditableDefinition(unit, name) };
}

async function compareAndSetSetting(
  db: WriteDb,
  context: ManagerContext,
  { granted, unit, definition }: EditableSetting,
  { setting: name, value, expectedRevision }: SetUnitSettingInput,
): Promise<UnitValue> {
  const { language, now } = context;
  const { id: editorId } = context.principal;
  const [storedRow, editorName] = await Promise.all([
    findStoredSetting(db, granted, name),
    findManagerName(db, editorId),
  ]);
  const text = requireStoredText(definition, value);
  if (expectedRevision !== String(storedRow?.version ?? 0)) throw new Problem('setting-conflict');
  // The caller was authorized for this operation, and so may write.
  const rowContext = { tenant: granted.tenant, language, currency: unit.currency, canWrite: true };
  const oldText = effectiveText(definition, storedRow?.value);
  if (text === oldText) return toSettingRow(definition, storedRow, rowContext);
  const { version } = unit;
  await Promise.all([
    writeSetting(db, granted, { name, value: text, version, editorId, now, isFirstValue: storedRow === undefined }),
    appendAudit(db, createManagerAuditContext(context), toSettingAudit(granted, { name, oldText, text })),
  ]);
  const written = { name, value: text, version, changed_at: now, editor_id: editorId, editor_name: editorName };
  return toSettingRow(definition, { ...written, sync_id: 0, sync_state: 'queued' }, rowContext);
}

function requireStoredText(definition: ValueDefinition, value: unknown): string | null {
  const result = formatStoredText(definition, value);
  if ('text' in result) return result.text;
  throw createFieldProblem('body.value', result, 'invalid-setting');
}
