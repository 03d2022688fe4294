// The keys of residents, in an import: added and removed by the rules of AddKey and RemoveKey. A key has no id of its own:
// it is known by its resident and its number.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { allResidentsReadAccess, residentWriteAccess } from '../../resident-administration/access.ts';
import { changeResidents } from '../../resident-administration/change-resident.ts';
import { listKeysOfResidents } from '../../resident-administration/queries/resident-details.ts';
import { listResidentsById } from '../../resident-administration/queries/residents.ts';
import { recordNewKeys } from '../../resident-administration/record-keys.ts';
import { residentStateOf } from '../../resident-administration/rules/allowed-commands.ts';
import { findHeldNumbers } from '../residents/queries/resident-conflicts.ts';
import { listKeysAfter, type StoredResidentKey } from './queries/resident-keys.ts';
import {
  combineKeyFields,
  deletedError,
  formatKeyKid,
  keyFields,
  listKeyErrors,
  parseResidentKid,
  toKeyChange,
  toHeldKey,
  type KeyChange,
  type KeyConditions,
  type HeldKey,
} from './rules/key-rows.ts';
import { defineKind } from '../define-kind.ts';
import { answerEach, answerInTurn, keepApplied } from '../rules/answers.ts';
import { formatPartKid } from '../rules/bank-kids.ts';
import { exportPageSize, exportPages } from '../rules/export-pages.ts';
import { writeValues } from '../rules/parse-fields.ts';
import type { ImportTarget, KeyedRow, UndoneRow } from '../import-kind.ts';

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
      const key = stored.find(row);
      const change = toKeyChange(target, row.values, key);
      const { number = '' } = row.values;
      return {
        current:
          key === undefined
            ? null
            : { values: writeValues(keyFields, key, target), revision: revisionOf(key), objectKid: kidOf(target, key) },
        errors: change === undefined ? [] : listKeyErrors(change, stored),
        claims: number === '' ? [] : [`number:${number}`],
      };
    };
  },
  locks: ({ bank }) => [outboxLock(bank)],
  apply: async (db, actor, target, rows) => {
    const stored = await readStoredKeys(db, target, rows);
    const changes = answerEach(rows, (row) => toKeyChange(target, row.values, stored.find(row)));
    await storeChanges(
      db,
      actor,
      target,
      [...changes.values()].flatMap((change) => change ?? []),
    );
    return (row) => {
      const change = changes.get(row);
      return change === undefined ? keepApplied(row) : toAdded(target, change, actor.now);
    };
  },
  undo: async (db, actor, target, rows) => {
    const toFormer = ({ objectKid, before }: (typeof rows)[number]): KeyRow => ({ objectKid, values: before });
    const stored = await readStoredKeys(db, target, rows.map(toFormer));
    return answerInTurn(rows, async (row): Promise<UndoneRow> => {
      const key = stored.find(toFormer(row));
      const holder = key && stored.residents.get(key.resident_id);
      if (key === undefined || holder === undefined || residentStateOf(holder) === 'deleted')
        return { errors: [deletedError] };
      if (row.action === 'create') {
        await storeChanges(db, actor, target, [{ removed: toHeldKey(key) }]);
        return { revision: null };
      }
      const change = toKeyChange(target, row.before, key);
      if (change === undefined) return { revision: row.current.revision };
      const errors = listKeyErrors(change, stored);
      if (errors.length > 0) return { errors };
      await storeChanges(db, actor, target, [change]);
      return toAdded(target, change, actor.now);
    });
  },
  exportRows: (db, target) =>
    exportPages(
      (last?: StoredResidentKey) => {
        const position = { residentId: last?.resident_id ?? 0, number: last?.key_number ?? '' };
        return listKeysAfter(db, target.bank, { ...position, limit: exportPageSize, now: target.now });
      },
      (key) => ({ objectKid: kidOf(target, key), values: writeValues(keyFields, key, target) }),
    ),
});

const kidOf = (target: ImportTarget, key: StoredResidentKey): string => formatKeyKid(target, toHeldKey(key));

/** A key has no revision. It is removed and added, and never changed. */
const revisionOf = ({ kind, added_at }: Pick<StoredResidentKey, 'kind' | 'added_at'>): string => `${kind}.${added_at}`;

const toAdded = (target: ImportTarget, { added }: KeyChange, now: number) => ({
  objectKid: formatKeyKid(target, added),
  revision: revisionOf({ kind: added.kind, added_at: now }),
});

type KeyRow = Pick<KeyedRow, 'objectKid' | 'values'>;

type StoredKeys = KeyConditions & {
  /** The key that the row's own key is for, or else the one that its fields name: it came with its resident. */
  find(row: KeyRow): StoredResidentKey | undefined;
};

async function readStoredKeys(db: Db, target: ImportTarget, rows: readonly KeyRow[]): Promise<StoredKeys> {
  const { bank, now } = target;
  const named = rows.flatMap(({ objectKid, values }) => [objectKid, values['resident']]);
  const ids = [...new Set(named.flatMap((kid) => parseResidentKid(target, kid) ?? []))];
  const numbers = new Set(rows.flatMap(({ values }) => values['number'] || []));
  const [keys, residents, held] = await Promise.all([
    listKeysOfResidents(db, bank, ids),
    listResidentsById(db, bank, ids),
    findHeldNumbers(db, [...numbers]),
  ]);
  const keysByKid = new Map(keys.map((key) => [kidOf(target, key), key]));
  const keysByResident = Map.groupBy(keys, ({ resident_id }) => resident_id);
  return {
    find: ({ objectKid, values: { resident = '', number = '' } }) =>
      keysByKid.get(objectKid ?? '') ?? keysByKid.get(formatPartKid(resident, number)),
    residents: new Map(residents.map((resident) => [resident.resident_id, resident])),
    held,
    counts: new Map(Array.from(keysByResident, ([residentId, own]) => [residentId, own.length])),
    now,
  };
}

/** Keys are removed before others are added, so that no resident has more of them in between than at the end. */
async function storeChanges(
  db: WriteDb,
  actor: AuditContext,
  { bank }: ImportTarget,
  changes: readonly { readonly removed: HeldKey | undefined; readonly added?: HeldKey }[],
): Promise<void> {
  const removed = Map.groupBy(
    changes.flatMap((change) => change.removed ?? []),
    ({ residentId }) => residentId,
  );
  const removals = Array.from(removed, ([residentId, keys]) => ({
    residentId,
    actions: keys.map(({ kind, number }) => ({ command: 'RemoveKey' as const, value: { kind, number } })),
  }));
  if (removals.length > 0) await changeResidents(db, actor, bank, removals);
  const added = changes.flatMap((change) => change.added ?? []);
  await recordNewKeys(
    db,
    actor,
    bank,
    added.map(({ residentId, kind, number }) => ({ residentId, key: { kind, number } })),
  );
}
