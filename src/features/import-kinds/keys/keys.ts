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
import type { KeyKind } from '../../residents/rules/resident-key.ts';
import { findHeldNumbers } from '../residents/queries/resident-conflicts.ts';
import { listKeysAfter, type StoredResidentKey } from './queries/resident-keys.ts';
import {
  combineKeyFields,
  deletedError,
  formatKeyKid,
  keyFields,
  listKeyErrors,
  parseKeyKid,
  parseResidentKid,
  toKeyChange,
  toKeyNumber,
  type KeyChange,
  type KeyConditions,
  type KeyObject,
} from './rules/key-rows.ts';
import { defineKind } from '../define-kind.ts';
import { writeValues } from '../rules/parse-fields.ts';
import { answerEach, answersOf, keepApplied } from '../rules/answers.ts';
import { readExportPages } from '../rules/read-export-pages.ts';
import type { FoundRow, ImportTarget, KeyedRow, UndoableRow, UndoneRow } from '../import-kind.ts';

export const keysKind = defineKind({
  name: 'keys',
  belongsTo: 'bank',
  access: residentWriteAccess,
  readAccess: allResidentsReadAccess,
  fields: keyFields,
  combine: combineKeyFields,
  findCurrent: async (db, target, rows) => {
    const stored = await readStoredKeys(db, target, rows);
    return (row) => {
      const key = findStored(target, row, stored);
      const change = toKeyChange(target, { values: row.values, stored: key });
      const number = row.values['number'] ?? '';
      return {
        current: key === undefined ? null : toCurrent(target, key),
        errors: change === undefined ? [] : listKeyErrors(change, stored),
        claims: number === '' ? [] : [`number:${number}`],
      };
    };
  },
  locks: ({ bank }) => [outboxLock(bank)],
  apply: async (db, actor, target, rows) => {
    const stored = await readStoredKeys(db, target, rows);
    const changes = answerEach(rows, (row) =>
      toKeyChange(target, { values: row.values, stored: findStored(target, row, stored) }),
    );
    await storeChanges(db, actor, target, [...changes.values()]);
    return (row) => {
      const change = changes.get(row);
      return change === undefined ? keepApplied(row) : toAdded(target, change, actor.now);
    };
  },
  undo: async (db, actor, target, rows) => {
    const former = answerEach(rows, toFormerRow);
    const stored = await readStoredKeys(db, target, [...former.values()]);
    const undoOne = async ({ action, current }: UndoableRow, row: KeyRow): Promise<UndoneRow> => {
      const key = findStored(target, row, stored);
      const holder = key && stored.residents.get(key.resident_id);
      if (key === undefined || holder === undefined || residentStateOf(holder) === 'deleted')
        return { errors: [deletedError] };
      if (action === 'create') {
        const removed = { residentId: key.resident_id, number: key.key_number, kind: key.kind as KeyKind };
        await changeResidents(db, actor, target.bank, [toRemovals([key.resident_id, [removed]])]);
        return { revision: null };
      }
      const change = toKeyChange(target, { values: row.values, stored: key });
      if (change === undefined) return { revision: current.revision };
      const errors = listKeyErrors(change, stored);
      if (errors.length > 0) return { errors };
      await storeChanges(db, actor, target, [change]);
      return toAdded(target, change, actor.now);
    };
    const undone = new Map<UndoableRow, UndoneRow>();
    for (const [row, restored] of former) undone.set(row, await undoOne(row, restored));
    return answersOf(undone);
  },
  exportRows: async function* exportRows(db, target) {
    const { bank, now } = target;
    for await (const keys of readExportPages<StoredResidentKey>((last) => {
      const position = { residentId: last?.resident_id ?? 0, number: last?.key_number ?? '' };
      return listKeysAfter(db, bank, { ...position, limit: exportedTogether, now });
    }))
      yield keys.map((key) => ({
        objectKid: formatKeyKid(target, { residentId: key.resident_id, number: key.key_number }),
        values: writeValues(keyFields, key, target),
      }));
  },
});

const toFormerRow = ({ objectKid, action, before }: UndoableRow): KeyRow => ({
  objectKid,
  values: action === 'update' ? before : {},
});

const toAdded = (target: ImportTarget, { added }: KeyChange, now: number) => ({
  objectKid: formatKeyKid(target, added),
  revision: revisionOf({ ...added, added_at: now }),
});

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

const toCurrent = (target: ImportTarget, key: StoredResidentKey): NonNullable<FoundRow['current']> => ({
  values: writeValues(keyFields, key, target),
  revision: revisionOf(key),
  objectKid: formatKeyKid(target, { residentId: key.resident_id, number: key.key_number }),
});

/** A key has no revision. It is removed and added, and never changed. */
const revisionOf = ({ kind, added_at }: Pick<StoredResidentKey, 'kind' | 'added_at'>): string => `${kind}.${added_at}`;

/** Keys are removed before others are added, so that no resident has more of them in between than at the end. */
async function storeChanges(
  db: WriteDb,
  actor: AuditContext,
  { bank }: ImportTarget,
  changes: readonly (KeyChange | undefined)[],
): Promise<void> {
  const removed = changes.flatMap((change) => change?.removed ?? []);
  const byResident = Map.groupBy(removed, ({ residentId }) => residentId);
  if (removed.length > 0) await changeResidents(db, actor, bank, Array.from(byResident, toRemovals));
  const added = changes.flatMap((change) => change?.added ?? []);
  await recordNewKeys(
    db,
    actor,
    bank,
    added.map((key) => ({ residentId: key.residentId, key: toKeyNumber(key) })),
  );
}

const toRemovals = ([residentId, keys]: readonly [number, readonly KeyChange['added'][]]): ResidentActions => ({
  residentId,
  actions: keys.map((key) => ({ command: 'RemoveKey', value: toKeyNumber(key) })),
});

const exportedTogether = 1000;
