// The keys of residents, in an import: added and removed by the rules of AddKey and RemoveKey. A key has no id of its own:
// it is known by its resident and its number.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { allResidentsReadAccess, residentWriteAccess } from '../../resident-administration/access.ts';
import { changeResidents, type ResidentActions } from '../../resident-administration/change-resident.ts';
import { listKeysOfResidents } from '../../resident-administration/queries/resident-details.ts';
import { listResidentsById } from '../../resident-administration/queries/residents.ts';
import { recordNewKeys } from '../../resident-administration/record-keys.ts';
import { residentStateOf } from '../../resident-administration/rules/allowed-commands.ts';
import { findHeldNumbers } from '../residents/queries/resident-conflicts.ts';
import { listKeysAfter, type StoredResidentKey } from './queries/resident-keys.ts';
import {
  deletedError,
  formatKeyKid,
  residentKeyColumns,
  listKeyErrors,
  parseKeyKid,
  parseKeyRow,
  parseResidentKid,
  toKeyChange,
  toKeyNumber,
  toKeyValues,
  type KeyChange,
  type KeyConditions,
  type KeyObject,
} from './rules/key-rows.ts';
import type {
  ApplicableRow,
  AppliedRow,
  ExportedRow,
  FoundRow,
  ImportKind,
  ImportTarget,
  KeyedRow,
  UndoableRow,
  UndoneRow,
} from '../import-kind.ts';

export const keysKind: ImportKind = {
  name: 'keys',
  belongsTo: 'bank',
  access: residentWriteAccess,
  readAccess: allResidentsReadAccess,
  columns: residentKeyColumns,
  parseRow: parseKeyRow,
  findCurrent,
  locks: ({ bank }) => [outboxLock(bank)],
  apply: applyRows,
  undo: undoRows,
  exportRows,
};

type StoredKeys = KeyConditions & {
  /** By resident and number. */
  readonly keys: ReadonlyMap<string, StoredResidentKey>;
};

const nameOf = ({ residentId, number }: KeyObject): string => `${residentId}#${number}`;

async function readStoredKeys(db: Db, target: ImportTarget, rows: readonly KeyRow[]): Promise<StoredKeys> {
  const { bank } = target;
  const ids = new Set<number>();
  const numbers = new Set<string>();
  for (const { objectKid, values } of rows) {
    const object = parseKeyKid(target, objectKid);
    if (object !== undefined) ids.add(object.residentId);
    const wanted = parseResidentKid(target, values['resident'] ?? '');
    if (wanted !== undefined) ids.add(wanted);
    if (values['number'] !== undefined && values['number'] !== '') numbers.add(values['number']);
  }
  const [keys, residents, held] = await Promise.all([
    listKeysOfResidents(db, bank, [...ids]),
    listResidentsById(db, bank, [...ids]),
    findHeldNumbers(db, [...numbers]),
  ]);
  const counts = new Map<number, number>();
  for (const { resident_id } of keys) counts.set(resident_id, (counts.get(resident_id) ?? 0) + 1);
  return {
    keys: new Map(keys.map((key) => [nameOf({ residentId: key.resident_id, number: key.key_number }), key])),
    residents: new Map(residents.map((resident) => [resident.resident_id, resident])),
    held,
    counts,
    now: target.now,
  };
}

type KeyRow = Pick<KeyedRow, 'objectKid' | 'values'>;

/** The key that the row's own key is for, or else the one that its fields name: it came with its resident. */
function findStored(
  target: ImportTarget,
  { objectKid, values }: KeyRow,
  { keys }: StoredKeys,
): StoredResidentKey | undefined {
  const object = parseKeyKid(target, objectKid);
  const stored = object && keys.get(nameOf(object));
  if (stored !== undefined) return stored;
  const { resident = '', number = '' } = values;
  const residentId = parseResidentKid(target, resident);
  return residentId === undefined ? undefined : keys.get(nameOf({ residentId, number }));
}

async function findCurrent(db: Db, target: ImportTarget, rows: readonly KeyedRow[]): Promise<FoundRow[]> {
  const stored = await readStoredKeys(db, target, rows);
  return rows.map((row) => {
    const key = findStored(target, row, stored);
    const change = toKeyChange(target, { values: row.values, stored: key });
    const number = row.values['number'] ?? '';
    return {
      current: key === undefined ? null : toCurrent(target, key),
      errors: change === undefined ? [] : listKeyErrors(change, stored),
      claims: number === '' ? [] : [`number:${number}`],
    };
  });
}

const toCurrent = (target: ImportTarget, key: StoredResidentKey): NonNullable<FoundRow['current']> => ({
  values: toKeyValues(target, key),
  revision: revisionOf(key),
  objectKid: formatKeyKid(target, { residentId: key.resident_id, number: key.key_number }),
});

/** A key has no revision. It is removed and added, and never changed. */
const revisionOf = ({ kind, added_at }: Pick<StoredResidentKey, 'kind' | 'added_at'>): string => `${kind}.${added_at}`;

async function applyRows(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
): Promise<AppliedRow[]> {
  const stored = await readStoredKeys(db, target, rows);
  const changes = rows.map((row) =>
    toKeyChange(target, { values: row.values, stored: findStored(target, row, stored) }),
  );
  await storeChanges(db, actor, target, changes);
  return rows.map(({ objectKid, current }, at) => {
    const change = changes[at];
    // Only its source gets to know the key.
    if (change === undefined) return { objectKid: objectKid!, revision: current!.revision };
    const { added } = change;
    return { objectKid: formatKeyKid(target, added), revision: revisionOf({ ...added, added_at: actor.now }) };
  });
}

/** Keys are removed before others are added, so that no resident has more of them in between than at the end. */
async function storeChanges(
  db: WriteDb,
  actor: AuditContext,
  { bank }: ImportTarget,
  changes: readonly (KeyChange | undefined)[],
): Promise<void> {
  const removed = changes.flatMap((change) => change?.removed ?? []);
  const byResident = Map.groupBy(removed, ({ residentId }) => residentId);
  if (removed.length > 0) await changeResidents(db, actor, bank, Array.from(byResident.values(), toRemovals));
  const added = changes.flatMap((change) => change?.added ?? []);
  await recordNewKeys(
    db,
    actor,
    bank,
    added.map((key) => ({ residentId: key.residentId, key: toKeyNumber(key) })),
  );
}

/** Of keys of one resident. */
const toRemovals = (keys: readonly KeyChange['added'][]): ResidentActions => ({
  residentId: keys[0]!.residentId,
  actions: keys.map((key) => ({ command: 'RemoveKey', value: toKeyNumber(key) })),
});

async function undoRows(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly UndoableRow[],
): Promise<UndoneRow[]> {
  const { bank } = target;
  const restored = rows.map(({ objectKid, action, before }) => ({
    objectKid,
    values: action === 'update' ? before : {},
  }));
  const stored = await readStoredKeys(db, target, restored);
  const undone: UndoneRow[] = [];
  for (const [at, { action, current }] of rows.entries()) {
    const key = findStored(target, restored[at]!, stored)!;
    const removed = {
      residentId: key.resident_id,
      number: key.key_number,
      kind: key.kind as KeyChange['added']['kind'],
    };
    const holder = stored.residents.get(key.resident_id);
    if (holder === undefined || residentStateOf(holder) === 'deleted') undone.push({ errors: [deletedError] });
    else if (action === 'create') {
      await changeResidents(db, actor, bank, [toRemovals([removed])]);
      undone.push({ revision: null });
    } else {
      const change = toKeyChange(target, { values: restored[at]!.values, stored: key });
      const errors = change === undefined ? [] : listKeyErrors(change, stored);
      if (errors.length === 0) await storeChanges(db, actor, target, [change]);
      if (errors.length > 0) undone.push({ errors });
      else if (change === undefined) undone.push({ revision: current.revision });
      else {
        const revision = revisionOf({ ...change.added, added_at: actor.now });
        undone.push({ revision, objectKid: formatKeyKid(target, change.added) });
      }
    }
  }
  return undone;
}

const exportedTogether = 1000;

async function* exportRows(db: Db, target: ImportTarget): AsyncGenerator<ExportedRow[]> {
  let position = { residentId: 0, number: '' };
  for (;;) {
    const keys = await listKeysAfter(db, target.bank, { ...position, limit: exportedTogether, now: target.now });
    if (keys.length === 0) return;
    const rows = keys.map((key) => ({ residentId: key.resident_id, number: key.key_number, key }));
    yield rows.map(({ key, ...object }) => ({
      objectKid: formatKeyKid(target, object),
      values: toKeyValues(target, key),
    }));
    position = rows.at(-1)!;
  }
}
