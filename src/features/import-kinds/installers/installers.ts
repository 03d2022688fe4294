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
  installerColumns,
  installerParsers,
  toInstallerFields,
  toInstallerValues,
  toLocations,
} from './rules/installer-rows.ts';
import { defaultValues, fieldError, parseFields } from '../rules/parse-fields.ts';
import type {
  ApplicableRow,
  AppliedRow,
  ExportedRow,
  FoundRow,
  ImportKind,
  ImportTarget,
  KeyedRow,
  RowError,
  RowValues,
  UndoableRow,
  UndoneRow,
} from '../import-kind.ts';

export const installersKind: ImportKind = {
  name: 'installers',
  belongsTo: 'tenant',
  access: installerImportAccess,
  readAccess: installerReadAccess,
  columns: installerColumns,
  parseRow: (values, target) => parseFields(values, installerParsers, target),
  findCurrent,
  locks: ({ wholeTenant }) => [allInstallersLock(wholeTenant)],
  apply: applyRows,
  undo: undoRows,
  isDeactivatable: true,
  exportRows,
};

const idOf = ({ tenant }: ImportTarget, kid: string | null): number | undefined =>
  kid === null ? undefined : parseKid(kid, tenant.name, ['installer'])?.installerId;

const kidOf = ({ tenant }: ImportTarget, installerId: number): string =>
  formatKid({ type: 'installer', tenant: tenant.name, installerId });

async function readInstallers(
  db: Db,
  target: ImportTarget,
  kids: readonly (string | null)[],
): Promise<ReadonlyMap<string, InstallerRow>> {
  const ids = kids.flatMap((kid) => idOf(target, kid) ?? []);
  const rows = await listInstallersById(db, target.wholeTenant, ids);
  return new Map(rows.map((row) => [kidOf(target, row.installer_id), row]));
}

async function findCurrent(db: Db, target: ImportTarget, rows: readonly KeyedRow[]): Promise<FoundRow[]> {
  const { tenant, wholeTenant } = target;
  const locationsOf = ({ values }: { readonly values: RowValues }) =>
    toLocations(values['locations'] ?? '', tenant.name);
  const stored = await readInstallers(
    db,
    target,
    rows.map(({ objectKid }) => objectKid),
  );
  const currentOf = new Map(Array.from(stored, ([kid, row]) => [kid, toCurrent(row, target)]));
  const places = [...rows, ...currentOf.values()].flatMap(locationsOf);
  const existing = await findExistingPlaces(db, wholeTenant, places);
  return rows.map((row) => {
    const current = currentOf.get(row.objectKid ?? '');
    const isUnknown = locationsOf(row).some((place) => !existing.has(nameOfPlace(place)));
    const errors = isUnknown ? [unknownLocation] : [];
    if (current === undefined) return { current: null, errors, claims: [] };
    // An export leaves out locations that are deleted, and what it lacks is no change.
    const left = keepLocations(current.values, existing, tenant.name);
    const isSame = row.values['locations'] === left['locations'];
    return { current: isSame ? { ...current, values: left } : current, errors, claims: [] };
  });
}

const toCurrent = (row: InstallerRow, { tenant }: ImportTarget): NonNullable<FoundRow['current']> => {
  const values = toInstallerValues(row, tenant.name);
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

async function applyRows(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
): Promise<AppliedRow[]> {
  const { tenant, wholeTenant } = target;
  const created = rows.filter(({ action }) => action === 'create');
  const defaults = defaultValues(installerParsers, target);
  const newValues = created.map(({ values }) => ({ ...defaults, ...values }));
  const ids = await recordNewInstallers(
    db,
    actor,
    wholeTenant,
    newValues.map((values) => toInstallerFields(values, tenant.name)),
  );
  const applied = new Map<ApplicableRow, AppliedRow>(
    created.map((row, at) => [row, { objectKid: kidOf(target, ids[at]!), revision: hashInstaller(newValues[at]!) }]),
  );
  const changed = rows
    .filter(({ action }) => action !== 'create')
    .map((row) => ({
      row,
      change: toChange(target, row, row.action === 'deactivate' ? { state: 'disabled' } : row.values),
    }));
  await storeChanges(
    db,
    actor,
    target,
    changed.map(({ change }) => change),
  );
  for (const { row, change } of changed)
    applied.set(row, { objectKid: row.objectKid!, revision: hashInstaller(change.values) });
  return rows.map((row) => applied.get(row)!);
}

type ValueChange = InstallerChange & { readonly values: RowValues };

function toChange(
  target: ImportTarget,
  { objectKid, current }: Pick<ApplicableRow, 'objectKid' | 'current'>,
  changed: RowValues,
): ValueChange {
  const before = current?.values ?? {};
  const values = { ...before, ...changed };
  return {
    installerId: idOf(target, objectKid)!,
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

async function undoRows(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly UndoableRow[],
): Promise<UndoneRow[]> {
  const stored = await readInstallers(
    db,
    target,
    rows.map(({ objectKid }) => objectKid),
  );
  const isActive = ({ objectKid }: UndoableRow): boolean => stored.get(objectKid)?.last_activity_at != null;
  const deleted = rows.filter((row) => row.action === 'create' && !isActive(row));
  await recordDeletedInstallers(
    db,
    actor,
    target.wholeTenant,
    deleted.map(({ objectKid }) => idOf(target, objectKid)!),
  );
  const changes = new Map(
    rows.filter(({ action }) => action !== 'create').map((row) => [row, toChange(target, row, row.before)]),
  );
  await storeChanges(db, actor, target, [...changes.values()]);
  return rows.map((row) => {
    const change = changes.get(row);
    if (change !== undefined) return { revision: hashInstaller(change.values) };
    return isActive(row) ? { errors: [inUse] } : { revision: null };
  });
}

const exportedTogether = 500;

async function* exportRows(db: Db, target: ImportTarget): AsyncGenerator<ExportedRow[]> {
  let afterId = 0;
  for (;;) {
    const rows = await listInstallersAfter(db, target.wholeTenant, afterId, exportedTogether);
    const last = rows.at(-1);
    if (last === undefined) return;
    const tenant = target.tenant.name;
    const all = rows.map((row) => ({ row, values: toInstallerValues(row, tenant) }));
    const places = all.flatMap(({ values }) => toLocations(values['locations'] ?? '', tenant));
    const existing = await findExistingPlaces(db, target.wholeTenant, places);
    yield all.map(({ row, values }) => ({
      objectKid: kidOf(target, row.installer_id),
      values: keepLocations(values, existing, tenant),
    }));
    afterId = last.installer_id;
  }
}
