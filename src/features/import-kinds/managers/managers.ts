// Managers of the tenant, in an import: by the rules of `manager create` and of the operations on permissions.

import type { Db } from '../../../database/db.ts';
import { noRights } from '../../../permissions/needs.ts';
import { managersImportAccess, managersReadAccess } from '../../manager-administration/access.ts';
import { toManagerState, type RightedManager } from '../../manager-administration/fields.ts';
import {
  findUserNameHolders,
  listManagersAfter,
  listManagersById,
  type AdministeredManager,
} from '../../manager-administration/queries/managers.ts';
import { grantsOf, hasPlace, listPlaces, type GrantTarget } from '../../manager-administration/rules/manager-state.ts';
import { managerRightsLock } from '../../managers/queries/rights-lock.ts';
import { listManagersRights } from '../../managers/queries/manager-rights.ts';
import { normalizeUserName } from '../../managers/rules/user-name.ts';
import { noPasswordHash } from '../../passwords/rules/password.ts';
import { allServicesLock } from '../../services/queries/write-service.ts';
import { findExistingPlaces } from '../queries/existing-places.ts';
import { defineKind } from '../define-kind.ts';
import { exportPageSize, exportPages } from '../rules/export-pages.ts';
import { fieldError, writeValues } from '../rules/parse-fields.ts';
import type { KeyedRow, ParsedFields, RowError, RowValues } from '../import-kind.ts';
import { applyManagers, idOf, kidOf, managerColumns, undoManagers } from './change-managers.ts';

export const managersKind = defineKind({
  name: 'managers',
  belongsTo: 'tenant',
  access: managersImportAccess,
  readAccess: managersReadAccess,
  fields: managerColumns,
  combine: nameByUserName,
  findCurrent: async (db, target, rows) => {
    const { wholeTenant, tenant } = target;
    const ids = rows.flatMap(({ objectKid }) => idOf(target, objectKid) ?? []);
    const userNames = rows.flatMap(({ values }) => (values['userName'] ? [normalizeUserName(values['userName'])] : []));
    const placesOf = ({ values }: KeyedRow) => listPlaces(toManagerState(values, tenant.name).grants);
    const [managers, holders] = await Promise.all([
      readRights(db, await listManagersById(db, wholeTenant, ids)),
      findUserNameHolders(db, wholeTenant, userNames),
    ]);
    const byId = new Map(managers.map((manager) => [manager.row.manager_id, manager]));
    const places = [...rows.flatMap(placesOf), ...managers.flatMap(({ rights }) => listPlaces(rights.grants))];
    const exists = await findExistingPlaces(db, wholeTenant, places);
    return (row) => {
      const manager = byId.get(idOf(target, row.objectKid) ?? 0);
      const granted = manager === undefined ? [] : listPlaces(manager.rights.grants);
      const isKnown = placesOf(row).every((place) => exists(place) || hasPlace(granted, place));
      const errors = [
        ...findUserNameErrors(row.values, manager?.row, holders),
        ...findStateErrors(row.values, manager?.row),
        ...(isKnown ? [] : [fieldError('grants', 'unknown-reference', 'must be banks and locations that exist')]),
      ];
      const { userName = '' } = row.values;
      const claims = userName === '' ? [] : [`userName:${normalizeUserName(userName)}`];
      if (manager === undefined) return { current: null, errors, claims };
      const { revision, profile_revision } = manager.row;
      // An export leaves out places that are deleted, and what it lacks is no change.
      const left = writeValues(managerColumns, withPlaces(manager, exists), target);
      const isSame = row.values['grants'] === left['grants'];
      const values = isSame ? left : writeValues(managerColumns, manager, target);
      return { current: { values, revision: `${revision}.${profile_revision}` }, errors, claims };
    };
  },
  locks: ({ wholeTenant }) => [managerRightsLock(), allServicesLock(wholeTenant)],
  apply: applyManagers,
  undo: undoManagers,
  isDeactivatable: true,
  exportRows: (db, target) => {
    const { wholeTenant } = target;
    const readPage = async (last?: RightedManager): Promise<RightedManager[]> => {
      const rows = await listManagersAfter(db, wholeTenant, last?.row.manager_id ?? 0, exportPageSize);
      const managers = await readRights(db, rows);
      const places = managers.flatMap(({ rights }) => listPlaces(rights.grants));
      const exists = await findExistingPlaces(db, wholeTenant, places);
      return managers.map((manager) => withPlaces(manager, exists));
    };
    return exportPages(readPage, (manager) => ({
      objectKid: kidOf(target, manager.row.manager_id),
      values: writeValues(managerColumns, manager, target),
    }));
  },
});

/** Whoever has no name is called by the user name. */
function nameByUserName(parsed: ParsedFields): ParsedFields {
  const { userName = '', name } = parsed.values;
  return name === '' && userName !== '' ? { ...parsed, values: { ...parsed.values, name: userName } } : parsed;
}

async function readRights(db: Db, rows: readonly AdministeredManager[]): Promise<RightedManager[]> {
  const rights = await listManagersRights(
    db,
    rows.map(({ manager_id }) => manager_id),
  );
  return rows.map((row) => ({ row, rights: rights.get(row.manager_id) ?? noRights }));
}

/** The manager with the grants of these places only. */
const withPlaces = ({ row, rights }: RightedManager, isKept: (place: GrantTarget) => boolean): RightedManager => ({
  row,
  rights: { ...rights, grants: grantsOf(listPlaces(rights.grants).filter(isKept)) },
});

function findUserNameErrors(
  { userName = '' }: RowValues,
  manager: AdministeredManager | undefined,
  holders: ReadonlyMap<string, number>,
): RowError[] {
  if (userName === '' || manager?.user_name === userName) return [];
  if (manager !== undefined)
    return [fieldError('userName', 'cannot-change', 'is that of the manager, and cannot be changed')];
  return holders.has(normalizeUserName(userName))
    ? [fieldError('userName', 'taken', 'is that of another manager')]
    : [];
}

const noPassword = fieldError(
  'state',
  'no-password',
  'must be disabled until the command manager reset-password has given the manager a password',
);

/** Somebody without a password could not log in, and would count as one who can administer the managers. */
const findStateErrors = ({ state }: RowValues, manager: AdministeredManager | undefined): RowError[] =>
  state === 'active' && (manager?.password_hash ?? noPasswordHash) === noPasswordHash ? [noPassword] : [];
