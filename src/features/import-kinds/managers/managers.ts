// Managers of the tenant, in an import: by the rules of `manager create` and of the operations on permissions.

import { formatKid, parseKid } from '../../../lib/kid.ts';
import { noRights } from '../../../permissions/needs.ts';
import { managersImportAccess, managersReadAccess } from '../../manager-administration/access.ts';
import {
  findUserNameHolders,
  listManagersAfter,
  listManagersById,
  type AdministeredManager,
} from '../../manager-administration/queries/managers.ts';
import { managerRightsLock } from '../../managers/queries/rights-lock.ts';
import { listManagersRights } from '../../managers/queries/manager-rights.ts';
import { normalizeUserName } from '../../managers/rules/user-name.ts';
import { noPasswordHash } from '../../passwords/rules/password.ts';
import { allServicesLock } from '../../services/queries/write-service.ts';
import { findExistingPlaces, nameOfPlace } from '../queries/existing-places.ts';
import { filterGrants, listPlacesOfGrants, managerFields, nameByUserName } from './rules/manager-rows.ts';
import { defineKind } from '../define-kind.ts';
import { fieldError, writeValues } from '../rules/parse-fields.ts';
import { readExportPages } from '../rules/read-export-pages.ts';
import type { FoundRow, ImportTarget, RowError, RowValues } from '../import-kind.ts';
import { applyManagers, undoManagers } from './change-managers.ts';

export const managersKind = defineKind({
  name: 'managers',
  belongsTo: 'tenant',
  access: managersImportAccess,
  readAccess: managersReadAccess,
  fields: managerFields,
  combine: nameByUserName,
  findCurrent: async (db, target, rows) => {
    const { wholeTenant, tenant } = target;
    const ids = rows.flatMap(({ objectKid }) => idOf(target, objectKid) ?? []);
    const userNames = rows.flatMap(({ values }) => (values['userName'] ? [normalizeUserName(values['userName'])] : []));
    const placesOf = ({ values }: { readonly values: RowValues }) => listPlacesOfGrants(values, tenant.name);
    const [stored, rights, holders] = await Promise.all([
      listManagersById(db, wholeTenant, ids),
      listManagersRights(db, ids),
      findUserNameHolders(db, wholeTenant, userNames),
    ]);
    const rowsById = new Map(stored.map((row) => [row.manager_id, row]));
    const currentById = new Map(
      stored.map((row) => [
        row.manager_id,
        toCurrent(row, writeValues(managerFields, { row, rights: rights.get(row.manager_id) ?? noRights }, target)),
      ]),
    );
    const existing = await findExistingPlaces(db, wholeTenant, [...rows, ...currentById.values()].flatMap(placesOf));
    return (row) => {
      const managerId = idOf(target, row.objectKid) ?? 0;
      const manager = rowsById.get(managerId);
      const current = currentById.get(managerId);
      const granted = new Set(
        current === undefined ? [] : listPlacesOfGrants(current.values, tenant.name).map(nameOfPlace),
      );
      const isUnknown = placesOf(row).some(
        (place) => !existing.has(nameOfPlace(place)) && !granted.has(nameOfPlace(place)),
      );
      const errors = [
        ...findUserNameErrors(row.values, manager, holders),
        ...findStateErrors(row.values, manager),
        ...(isUnknown ? [fieldError('grants', 'unknown-reference', 'must be banks and locations that exist')] : []),
      ];
      const { userName = '' } = row.values;
      const claims = userName === '' ? [] : [`userName:${normalizeUserName(userName)}`];
      if (current === undefined) return { current: null, errors, claims };
      // An export leaves out places that are deleted, and what it lacks is no change.
      const left = keepGrants(current.values, existing, tenant.name);
      const isSame = row.values['grants'] === left['grants'];
      return { current: isSame ? { ...current, values: left } : current, errors, claims };
    };
  },
  locks: ({ wholeTenant }) => [managerRightsLock(), allServicesLock(wholeTenant)],
  apply: applyManagers,
  undo: undoManagers,
  isDeactivatable: true,
  exportRows: async function* exportRows(db, target) {
    const { wholeTenant, tenant } = target;
    for await (const rows of readExportPages<AdministeredManager>((last) =>
      listManagersAfter(db, wholeTenant, last?.manager_id ?? 0, exportedTogether),
    )) {
      const ids = rows.map(({ manager_id }) => manager_id);
      const rights = await listManagersRights(db, ids);
      const all = rows.map((row) => ({
        row,
        values: writeValues(managerFields, { row, rights: rights.get(row.manager_id) ?? noRights }, target),
      }));
      const places = all.flatMap(({ values }) => listPlacesOfGrants(values, tenant.name));
      const existing = await findExistingPlaces(db, wholeTenant, places);
      yield all.map(({ row, values }) => ({
        objectKid: kidOf(target, row.manager_id),
        values: keepGrants(values, existing, tenant.name),
      }));
    }
  },
});

const idOf = ({ tenant }: ImportTarget, kid: string | null): number | undefined =>
  kid === null ? undefined : parseKid(kid, tenant.name, ['manager'])?.managerId;

const kidOf = ({ tenant }: ImportTarget, managerId: number): string =>
  formatKid({ type: 'manager', tenant: tenant.name, managerId });

type Current = NonNullable<FoundRow['current']>;

const keepGrants = (values: RowValues, existing: ReadonlySet<string>, tenant: string): RowValues => ({
  ...values,
  grants: filterGrants(
    values['grants'] ?? '',
    tenant,
    (place) => place.bankId === 0 || existing.has(nameOfPlace(place)),
  ),
});

const toCurrent = ({ revision, profile_revision }: AdministeredManager, values: RowValues): Current => ({
  values,
  revision: `${revision}.${profile_revision}`,
});

function findUserNameErrors(
  { userName = '' }: RowValues,
  manager: AdministeredManager | undefined,
  holders: ReadonlyMap<string, number>,
): RowError[] {
  if (userName === '') return [];
  if (manager !== undefined)
    return manager.user_name === userName
      ? []
      : [fieldError('userName', 'cannot-change', 'is that of the manager, and cannot be changed')];
  return holders.has(normalizeUserName(userName))
    ? [fieldError('userName', 'taken', 'is that of another manager')]
    : [];
}

/** Somebody without a password could not log in, and would count as one who can administer the managers. */
const findStateErrors = ({ state }: RowValues, manager: AdministeredManager | undefined): RowError[] =>
  state === 'active' && (manager?.password_hash ?? noPasswordHash) === noPasswordHash
    ? [
        fieldError(
          'state',
          'no-password',
          'must be disabled until the command manager reset-password has given the manager a password',
        ),
      ]
    : [];

const exportedTogether = 500;
