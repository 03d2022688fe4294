// Checks a manager's grants for an object's address, and reads the object. A disabled location, and a unit in one,
// needs a tenant-wide grant.

import type { Db } from '../../database/db.ts';
import { createFieldProblem } from '../../lib/values/field-problem.ts';
import { formatKid, guestId } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import {
  createTooNarrowProblem,
  findCoveredBank,
  requireCoveredBank,
  requireCoveredUnit,
  requireLocationOf,
  requireWholeCoverage,
  showsAddresses,
  type GrantedBank,
} from '../../permissions/coverage.ts';
import type { Grants } from '../../permissions/needs.ts';
import type { Scope } from '../../permissions/scope.ts';
import { createResidentNotFoundProblem, requireVisibleResident } from '../residents/rules/resident-visibility.ts';
import type { AddressKid, AddressKidType } from './rules/address-kid.ts';
import { findAddressRow, findResidentState, type AddressKey, type AddressRow } from './queries/addresses.ts';

/** An object whose bank or location the grants cover. */
export type GrantedObject = {
  readonly key: AddressKey;
  /** What the object belongs to. */
  readonly parents: readonly AddressKey[];
  readonly bank: GrantedBank;
  readonly kid: string;
  readonly grants: Pick<Grants, 'tenantWide'>;
  readonly retentionDays: number;
};

export type AddressObject = GrantedObject & {
  readonly row: AddressRow;
  /**
   * The location whose devices receive a change: the object itself, or the location of the unit or resident; 0: none.
   */
  readonly locationId: number;
};

/** Throws 400 for a user who is not a resident, and 404 if the grants do not cover the object. */
export function requireGrantedObject(scope: Scope, kid: AddressKid): GrantedObject {
  const bank = kid.type === 'user' ? requireBankOfResident(scope, kid) : requireCoveredBank(scope, kid);
  const common = { bank, kid: formatKid(kid), grants: scope.grants, retentionDays: scope.retentionDays };
  const bankKey: AddressKey = { type: 'bank', granted: bank };
  switch (kid.type) {
    case 'unit': {
      const location: AddressKey = { type: 'location', granted: requireLocationOf(bank, kid.locationId) };
      const granted = requireCoveredUnit(scope, kid);
      return { ...common, key: { type: 'unit', granted }, parents: [bankKey, location] };
    }
    case 'bank':
      return { ...common, key: bankKey, parents: [] };
    case 'user':
      return { ...common, key: { type: 'user', granted: { ...bank, residentId: kid.residentId } }, parents: [bankKey] };
    case 'location':
      return {
        ...common,
        key: { type: 'location', granted: requireLocationOf(bank, kid.locationId) },
        parents: [bankKey],
      };
  }
}

function requireBankOfResident(scope: Scope, kid: AddressKid & { type: 'user' }): GrantedBank {
  if (kid.residentId <= guestId) throw createNoResidentProblem();
  const bank = findCoveredBank(scope, kid);
  if (bank === undefined) throw createResidentNotFoundProblem();
  return bank;
}

const createNoResidentProblem = (): Problem =>
  createFieldProblem('path.kid', 'must be the KID of a resident: guest and GDPR user have no address', 'invalid-kid');

/**
 * Throws 404 if the object or one that it belongs to does not exist, is deleted or is not visible; and 403 if the
 * object is visible but needs a wider grant.
 */
export async function requireAddressObject(db: Db, granted: GrantedObject, now: number): Promise<AddressObject> {
  const { key, parents } = granted;
  const [row, ...parentRows] = await Promise.all([key, ...parents].map((each) => findAddressRow(db, each)));
  const exists = [row, ...parentRows].every((each) => each !== undefined && each.deleted_at === null);
  const locationId =
    key.type === 'user' ? await requireLocationOfResident(db, granted, key, { exists, now }) : locationIdOf(key);
  if (row === undefined || !exists) throw new Problem('not-found');
  if (key.type === 'bank') requireWholeCoverage(granted.bank);
  const location = findLocationRow(key.type, row, parentRows);
  if (location !== undefined && !showsAddresses(granted.grants, location)) throw createDisabledLocationProblem();
  return { ...granted, row, locationId };
}

const locationIdOf = ({ granted }: AddressKey): number => ('locationId' in granted ? granted.locationId : 0);

async function requireLocationOfResident(
  db: Db,
  { bank, retentionDays }: GrantedObject,
  { granted }: AddressKey & { type: 'user' },
  { exists, now }: { readonly exists: boolean; readonly now: number },
): Promise<number> {
  const state = exists ? await findResidentState(db, granted) : undefined;
  const resident = state === undefined ? undefined : { ...state, deleted_at: null };
  return requireVisibleResident(resident, bank.coverage, retentionDays, now).location_id ?? 0;
}

/** The object itself if it is a location, or the location of a unit. */
function findLocationRow(
  type: AddressKidType,
  row: AddressRow,
  parentRows: readonly (AddressRow | undefined)[],
): AddressRow | undefined {
  if (type === 'location') return row;
  return type === 'unit' ? parentRows[1] : undefined;
}

const createDisabledLocationProblem = (): Problem =>
  createTooNarrowProblem('The location is disabled: the operation needs a tenant-wide grant.');
