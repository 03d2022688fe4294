// SetUnitSetting: one value, compared and set. The unit's guard row is bumped first, so that of all who know the same
// revision one writes, whichever node each of them meets.

import type { WriteDb } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { Problem } from '../../lib/problem.ts';
import { reachOf } from '../../permissions/needs.ts';
import type { Scope } from '../../permissions/scope.ts';
import { holdOutbox } from '../device-sync/queries.ts';
import { demandUnit, type UnitAt } from '../places/sight.ts';
import type { Definition } from './catalogue/definition.ts';
import { findSetting } from './queries/values.ts';
import { bumpUnit, findManagerName, writeSetting } from './queries/write.ts';
import { findVisible, valueContext } from './read.ts';
import { spell } from './rules/values.ts';
import { settingRow, storedText } from './rows.ts';
import type { ValueRow } from './schemas.ts';

type Asked = {
  readonly at: UnitAt;
  readonly name: string;
  /** Any JSON. */
  readonly value: unknown;
  readonly expectedRevision: string;
};

/** Writes the value unless it is what holds already; answers its row. */
export async function setUnitSetting(door: ManagerDoor, asked: Asked): Promise<ValueRow> {
  const { at } = asked;
  const reach = reachOf(door.scope.grants, at.bankId);
  // Nothing is locked for somebody who sees nothing of the unit.
  if (reach !== 'all' && reach?.has(at.locationId) !== true) throw new Problem('not-found');
  return door.writeGuarded(
    (db) => Promise.all([holdOutbox(db, at.bankId), bumpUnit(db, at)]),
    (db, scope) => compareAndSet(db, door, scope, asked),
  );
}

async function compareAndSet(
  db: WriteDb,
  door: ManagerDoor,
  scope: Scope,
  { at, name, value, expectedRevision }: Asked,
): Promise<ValueRow> {
  const { managerId } = door.principal;
  const [unit, row, editorName] = await Promise.all([
    demandUnit(db, scope, at),
    findSetting(db, at, name),
    findManagerName(db, managerId),
  ]);
  const definition = demandEditable(findVisible(unit, name));
  const text = demandSpelled(definition, value);
  if (expectedRevision !== String(row?.version ?? 0)) throw new Problem('setting-conflict');
  // That the operation was let in is the right to write.
  const context = { ...valueContext(door, unit), mayWrite: true };
  if (text === storedText(definition, row)) return settingRow(definition, row, context);
  const now = door.now();
  const { version } = unit;
  await writeSetting(db, at, { name, value: text, version, editorId: managerId }, row === undefined, now);
  const written = { name, value: text, version, changed_at: now, editor_id: managerId, editor_name: editorName };
  return settingRow(definition, { ...written, sync_id: 0, sync_state: 'queued' }, context);
}

function demandEditable(definition: Definition | undefined): Definition {
  if (definition === undefined) throw new Problem('not-found');
  if (!definition.editable) throw new Problem('read-only-setting');
  return definition;
}

function demandSpelled(definition: Definition, value: unknown): string | null {
  const spelled = spell(definition, value);
  if ('text' in spelled) return spelled.text;
  const path = 'body.value';
  throw new Problem('invalid-setting', {
    detail: `${path} ${spelled.why}`,
    errors: [{ path, message: spelled.why }],
  });
}
