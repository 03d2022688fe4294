// Installers of the tenant, in an import.

import type { Db, WriteDb } from '../../../database/db.ts';
import { formatKid, parseKid } from '../../../lib/kid.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { installerImportAccess, installerReadAccess } from '../../installers/access.ts';
import { listInstallersAfter, listInstallersById, type InstallerRow } from '../../installers/queries/installers.ts';
import { allInstallersLock } from '../../installers/queries/write-installer.ts';
import {
  recordChangedInstallers,
  recordDeletedInstallers,
  recordNewInstallers,
  type InstallerChange,
} from '../../installers/record-installers.ts';
import { findExistingPlaces, nameOfPlace } from '../queries/existing-places.ts';
import {
  formatLocations,
  hashInstaller,
  installerFields,
  toInstallerFields,
  toLocations,
} from './rules/installer-rows.ts';
import { defineKind } from '../define-kind.ts';
import { fieldError, listDefaults, writeValues } from '../rules/parse-fields.ts';
import { zipRows } from '../rules/answers.ts';
import { readExportPages } from '../rules/read-export-pages.ts';
import type {
  ApplicableRow,
  FoundRow,
  ImportTarget,
  KeyedRow,
  RowError,
  RowValues,
  UndoableRow,
} from '../import-kind.ts';

export const installersKind = defineKind({
  name: 'installers',
  belongsTo: 'tenant',
  access: installerImportAccess,
  readAccess: installerReadAccess,
  fields: installerFields,
  isDeactivatable: true,
  findCurrent: async (db, target, rows) => {
    const { tenant, wholeTenant } = target;
    const locationsOf = ({ values }: { readonly values: RowValues }) =>
      toLocations(values['locations'] ?? '', tenant.name);
    const stored = await readInstallers(db, target, rows);
    const currentOf = new Map(Array.from(stored, ([kid, row]) => [kid, toCurrent(row, target)]));
    const places = [...rows, ...currentOf.values()].flatMap(locationsOf);
    const existing = await findExistingPlaces(db, wholeTenant, places);
    return (row) => {
      const current = currentOf.get(row.objectKid ?? '');
      const isUnknown = locationsOf(row).some((place) => !existing.has(nameOfPlace(place)));
      const errors = isUnknown ? [unknownLocation] : [];
      if (current === undefined) return { current: null, errors, claims: [] };
      // An export leaves out locations that are deleted, and what it lacks is no change.
      const left = keepLocations(current.values, existing, tenant.name);
      const isSame = row.values['locations'] === left['locations'];
      return { current: isSame ? { ...current, values: left } : current, errors, claims: [] };
    };
  },
  locks: ({ wholeTenant }) => [allInstallersLock(wholeTenant)],
  apply: async (db, actor, target, rows) => {
    const { tenant, wholeTenant } = target;
    const defaults = listDefaults(installerFields, target);
    const created = new Map(
      rows.filter(({ current }) => current === null).map((row) => [row, { ...defaults, ...row.values }]),
    );
    const drafts = Array.from(created.values(), (values) => toInstallerFields(values, tenant.name));
    const ids = zipRows([...created.keys()], await recordNewInstallers(db, actor, wholeTenant, drafts));
    const changed = new Map(
      rows.filter(({ current }) => current !== null).map((row) => [row, toChange(target, row, row.values)]),
    );
    await storeChanges(db, actor, target, [...changed.values()]);
    return (row) => {
      const values = created.get(row) ?? changed.get(row)?.values ?? {};
      const installerId = ids.get(row);
      const objectKid = installerId === undefined ? (row.objectKid ?? '') : kidOf(target, installerId);
      return { objectKid, revision: hashInstaller(values) };
    };
  },
  undo: async (db, actor, target, rows) => {
    const stored = await readInstallers(db, target, rows);
    const isActive = ({ objectKid }: UndoableRow): boolean => stored.get(objectKid)?.last_activity_at != null;
    const deleted = rows.filter((row) => row.action === 'create' && !isActive(row));
    const deletedIds = deleted.flatMap(({ objectKid }) => idOf(target, objectKid) ?? []);
    await recordDeletedInstallers(db, actor, target.wholeTenant, deletedIds);
    const changes = new Map(
      rows.filter(({ action }) => action !== 'create').map((row) => [row, toChange(target, row, row.before)]),
    );
    await storeChanges(db, actor, target, [...changes.values()]);
    return (row) => {
      const change = changes.get(row);
      if (change !== undefined) return { revision: hashInstaller(change.values) };
      return isActive(row) ? { errors: [inUse] } : { revision: null };
    };
  },
  exportRows: async function* exportRows(db, target) {
    const { wholeTenant, tenant } = target;
    for await (const rows of readExportPages<InstallerRow>((last) =>
      listInstallersAfter(db, wholeTenant, last?.installer_id ?? 0, exportedTogether),
    )) {
      const all = rows.map((row) => ({ row, values: writeValues(installerFields, row, target) }));
      const places = all.flatMap(({ values }) => toLocations(values['locations'] ?? '', tenant.name));
      const existing = await findExistingPlaces(db, wholeTenant, places);
      yield all.map(({ row, values }) => ({
        objectKid: kidOf(target, row.installer_id),
        values: keepLocations(values, existing, tenant.name),
      }));
    }
  },
});

const idOf = ({ tenant }: ImportTarget, kid: string | null): number | undefined =>
  kid === null ? undefined : parseKid(kid, tenant.name, ['installer'])?.installerId;

const kidOf = ({ tenant }: ImportTarget, installerId: number): string =>
  formatKid({ type: 'installer', tenant: tenant.name, installerId });

async function readInstallers(
  db: Db,
  target: ImportTarget,
  named: readonly Pick<KeyedRow, 'objectKid'>[],
): Promise<ReadonlyMap<string, InstallerRow>> {
  const ids = named.flatMap(({ objectKid }) => idOf(target, objectKid) ?? []);
  const rows = await listInstallersById(db, target.wholeTenant, ids);
  return new Map(rows.map((row) => [kidOf(target, row.installer_id), row]));
}

const toCurrent = (row: InstallerRow, target: ImportTarget): NonNullable<FoundRow['current']> => {
  const values = writeValues(installerFields, row, target);
  return { values, revision: hashInstaller(values) };
};

const keepLocations = (values: RowValues, existing: ReadonlySet<string>, tenant: string): RowValues => {
  const kept = toLocations(values['locations'] ?? '', tenant).filter((place) => existing.has(nameOfPlace(place)));
  return { ...values, locations: formatLocations(kept, tenant) };
};

const unknownLocation: RowError = fieldError(
  'locations',
  'unknown-reference',
  'must be locations of the tenant that exist',
);

type ValueChange = InstallerChange & { readonly values: RowValues };

function toChange(
  target: ImportTarget,
  { objectKid, current }: Pick<ApplicableRow, 'objectKid' | 'current'>,
  changed: RowValues,
): ValueChange {
  const before = current?.values ?? {};
  const values = { ...before, ...changed };
  return {
    installerId: idOf(target, objectKid) ?? 0,
    before: toInstallerFields(before, target.tenant.name),
    after: toInstallerFields(values, target.tenant.name),
    values,
  };
}

/** A row that only gives an installer a key changes nothing of theirs. */
const storeChanges = (
  db: WriteDb,
  actor: AuditContext,
  { wholeTenant }: ImportTarget,
  changes: readonly ValueChange[],
): Promise<void> =>
  recordChangedInstallers(
    db,
    actor,
    wholeTenant,
    changes.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after)),
  );

const inUse: RowError = {
  field: '',
  code: 'in-use',
  text: 'The installer has been active since, and is left as they are.',
};

const exportedTogether = 500;
