// SetUnitSetting: one value, compared and set. The unit's guard row is bumped first, so that of all who know the same
// revision one writes, whichever node each of them meets.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredUnit, type GrantedUnit, type UnitKey } from '../../../permissions/coverage.ts';
import { lockOutbox } from '../../device-sync/queries/outbox.ts';
import { requireUnit } from '../../places/queries/visible-places.ts';
import type { ValueDefinition } from '../catalogue/value-definition.ts';
import { findStoredSetting } from '../queries/unit-values.ts';
import { incrementUnitVersion, findManagerName, writeSetting } from '../queries/write-setting.ts';
import { findVisibleDefinition, createValueContext } from './get-unit-group.ts';
import { formatStoredText } from '../rules/stored-text.ts';
import { toSettingRow, effectiveText } from '../rows.ts';
import type { ValueRow } from '../schemas.ts';

type SetUnitSettingInput = {
  readonly at: UnitKey;
  readonly name: string;
  /** Any JSON. */
  readonly value: unknown;
  readonly expectedRevision: string;
};

/** Writes the value unless it is what holds already; answers its row. */
export async function setUnitSetting(context: ManagerContext, input: SetUnitSettingInput): Promise<ValueRow> {
  const { at } = input;
  return context.write({
    grant: (scope) => requireCoveredUnit(scope, at),
    lock: (db, unit) => Promise.all([lockOutbox(db, unit.bankId), incrementUnitVersion(db, unit)]),
    work: (db, unit) => compareAndSetSetting(db, context, unit, input),
  });
}

async function compareAndSetSetting(
  db: WriteDb,
  context: ManagerContext,
  at: GrantedUnit,
  { name, value, expectedRevision }: SetUnitSettingInput,
): Promise<ValueRow> {
  const { managerId } = context.principal;
  const [unit, storedRow, editorName] = await Promise.all([
    requireUnit(db, at),
    findStoredSetting(db, at, name),
    findManagerName(db, managerId),
  ]);
  const definition = requireEditable(findVisibleDefinition(unit, name));
  const text = requireStoredText(definition, value);
  if (expectedRevision !== String(storedRow?.version ?? 0)) throw new Problem('setting-conflict');
  // That the operation was let in is the right to write.
  const rowContext = { ...createValueContext(context, unit), mayWrite: true };
  if (text === effectiveText(definition, storedRow)) return toSettingRow(definition, storedRow, rowContext);
  const now = context.now;
  const { version } = unit;
  await writeSetting(db, at, { name, value: text, version, editorId: managerId }, storedRow === undefined, now);
  const written = { name, value: text, version, changed_at: now, editor_id: managerId, editor_name: editorName };
  return toSettingRow(definition, { ...written, sync_id: 0, sync_state: 'queued' }, rowContext);
}

function requireEditable(definition: ValueDefinition | undefined): ValueDefinition {
  if (definition === undefined) throw new Problem('not-found');
  if (!definition.editable) throw new Problem('read-only-setting');
  return definition;
}

function requireStoredText(definition: ValueDefinition, value: unknown): string | null {
  const result = formatStoredText(definition, value);
  if ('text' in result) return result.text;
  const path = 'body.value';
  throw new Problem('invalid-setting', {
    detail: `${path} ${result.reason}`,
    errors: [{ path, message: result.reason }],
  });
}
