// Installers of the tenant, in an import.

import { hash } from 'node:crypto';
import type { Db, WriteDb } from '../../../database/db.ts';
import { pairItems } from '../../../lib/values/pair-items.ts';
import { formatKid, parseKid } from '../../../lib/kid.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { installerImportAccess, installerReadAccess } from '../../installers/access.ts';
import { installerFields, toInstallerFields } from '../../installers/fields.ts';
import { listInstallersAfter, listInstallersById, type InstallerRow } from '../../installers/queries/installers.ts';
import { allInstallersLock } from '../../installers/queries/write-installer.ts';
import {
  recordChangedInstallers,
  recordDeletedInstallers,
  recordNewInstallers,
} from '../../installers/record-installers.ts';
import { findExistingPlaces } from '../queries/existing-places.ts';
import { columnsOf, defineKind } from '../define-kind.ts';
import { listsPlaces } from '../rules/listed-places.ts';
import { fieldError, listDefaults, writeValues } from '../rules/parse-fields.ts';
import { answerNow } from '../rules/answers.ts';
import { exportPageSize, exportPages } from '../rules/export-pages.ts';
import type { FieldTable, ImportTarget, KeyedRow, RowValues, UndoableRow } from '../import-kind.ts';

const columns = columnsOf(installerFields);
const installerColumns: FieldTable<InstallerRow> = { ...columns, locations: listsPlaces(columns.locations) };

export const installersKind = defineKind({
  name: 'installers',
  belongsTo: 'tenant',
  access: installerImportAccess,
  readAccess: installerReadAccess,
  fields: installerColumns,
  isDeactivatable: true,
  findCurrent: async (db, target, rows) => {
    const placesOf = ({ values }: KeyedRow) => toInstallerFields(values, target.tenant.name).locations;
    const stored = await readInstallers(db, target, rows);
    const exists = await findExistingPlaces(db, target.wholeTenant, rows.flatMap(placesOf));
    return (row) => {
      const installer = stored.get(row.objectKid ?? '');
      const values = installer && writeValues(installerColumns, installer, target);
      return {
        current: values === undefined ? null : { values, revision: revisionOf(values) },
        errors: placesOf(row).every(exists) ? [] : [unknownLocation],
        claims: [],
      };
    };
  },
  locks: ({ wholeTenant }) => [allInstallersLock(wholeTenant)],
  apply: async (db, actor, target, rows) => {
    const { tenant, wholeTenant } = target;
    const defaults = listDefaults(installerColumns, target);
    const valuesOf = answerNow(rows, ({ current, values }) => ({ ...(current?.values ?? defaults), ...values }));
    const created = rows.filter(({ current }) => current === null);
    const drafts = created.map((row) => toInstallerFields(valuesOf(row), tenant.name));
    const ids = new Map(pairItems(created, await recordNewInstallers(db, actor, wholeTenant, drafts)));
    const changed = rows.map((row) => ({ ...row, after: valuesOf(row) }));
    await storeChanges(db, actor, target, changed);
    return (row) => {
      const id = ids.get(row);
      const objectKid = id === undefined ? (row.objectKid ?? '') : kidOf(target, id);
      return { objectKid, revision: revisionOf(valuesOf(row)) };
    };
  },
  undo: async (db, actor, target, rows) => {
    const stored = await readInstallers(db, target, rows);
    const isActive = ({ objectKid }: UndoableRow): boolean => stored.get(objectKid)?.last_activity_at != null;
    const created = rows.filter(({ action }) => action === 'create');
    const deletedIds = created.flatMap((row) => (isActive(row) ? [] : (idOf(target, row.objectKid) ?? [])));
    await recordDeletedInstallers(db, actor, target.wholeTenant, deletedIds);
    const valuesOf = ({ current, before }: UndoableRow): RowValues => ({ ...current.values, ...before });
    const restored = rows.map((row) => ({ ...row, after: valuesOf(row) }));
    await storeChanges(db, actor, target, restored);
    return (row) => {
      if (row.action === 'update') return { revision: revisionOf(valuesOf(row)) };
      return isActive(row) ? { errors: [inUse] } : { revision: null };
    };
  },
  exportRows: (db, target) =>
    exportPages(
      (last?: InstallerRow) => listInstallersAfter(db, target.wholeTenant, last?.installer_id ?? 0, exportPageSize),
      (row) => ({ objectKid: kidOf(target, row.installer_id), values: writeValues(installerColumns, row, target) }),
    ),
});

const idOf = ({ tenant }: ImportTarget, kid: string | null): number | undefined =>
  parseKid(kid ?? '', tenant.name, ['installer'])?.installerId;

const kidOf = ({ tenant }: ImportTarget, installerId: number): string =>
  formatKid({ type: 'installer', tenant: tenant.name, installerId });

/** Installers have no revision of all that they are: what differs has another hash. */
const revisionOf = (values: RowValues): string =>
  hash('sha256', JSON.stringify(Object.keys(installerColumns).map((field) => values[field] ?? '')), 'base64url');

async function readInstallers(
  db: Db,
  target: ImportTarget,
  named: readonly Pick<KeyedRow, 'objectKid'>[],
): Promise<ReadonlyMap<string, InstallerRow>> {
  const ids = named.flatMap(({ objectKid }) => idOf(target, objectKid) ?? []);
  const rows = await listInstallersById(db, target.wholeTenant, ids);
  return new Map(rows.map((row) => [kidOf(target, row.installer_id), row]));
}

const unknownLocation = fieldError('locations', 'unknown-reference', 'must be locations of the tenant that exist');

type ChangedRow = Pick<KeyedRow, 'objectKid'> & {
  readonly current: { readonly values: RowValues } | null;
  readonly after: RowValues;
};

/** A row that only gives an installer a key changes nothing of theirs. */
function storeChanges(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly ChangedRow[],
): Promise<void> {
  const { tenant, wholeTenant } = target;
  const changes = rows.flatMap(({ objectKid, current, after }) => {
    const installerId = idOf(target, objectKid);
    if (installerId === undefined || current === null || revisionOf(current.values) === revisionOf(after)) return [];
    const before = toInstallerFields(current.values, tenant.name);
    return [{ installerId, before, after: toInstallerFields(after, tenant.name) }];
  });
  return recordChangedInstallers(db, actor, wholeTenant, changes);
}

const inUse = { field: '', code: 'in-use', text: 'The installer has been active since, and is left as they are.' };
