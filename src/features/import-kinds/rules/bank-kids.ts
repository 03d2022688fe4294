// Reads and writes the KIDs of a bank's objects.

import {
  createUserKidFormatter,
  formatBankKid,
  formatLocationKid,
  formatUnitKid,
  parseKid,
  type KidOf,
} from '../../../lib/kid.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';
import type { ImportTarget } from '../import-kind.ts';

type BankType = 'location' | 'unit' | 'user' | 'posting' | 'event';

export const bankKidOf = ({ bank }: ImportTarget): string => formatBankKid(bank.tenant, bank.bankId);

/** Undefined for a text that is no KID of an object of the bank. */
export function parseKidOfBank<T extends BankType>(
  { bank }: ImportTarget,
  text: string | null | undefined,
  type: T,
): KidOf<T> | undefined {
  const kid = parseKid<BankType>(text ?? '', bank.tenant, [type]);
  return kid?.bankId === bank.bankId ? (kid as KidOf<T>) : undefined;
}

export const locationKidOf = (target: ImportTarget, locationId: number): string =>
  formatLocationKid(bankKidOf(target), locationId);

/** Undefined for a KID that is not one of a location of the bank. */
export const locationIdOf = (target: ImportTarget, kid: string | null | undefined): number | undefined =>
  parseKidOfBank(target, kid, 'location')?.locationId;

type UnitIdRow = { readonly location_id: number; readonly unit_id: number };

export const unitKidOfRow = (target: ImportTarget, { location_id, unit_id }: UnitIdRow): string =>
  formatUnitKid(locationKidOf(target, location_id), unit_id);

/** Undefined for a KID that is not one of a unit of the bank. */
export const unitKeyOf = (target: ImportTarget, kid: string | null | undefined): UnitKey | undefined =>
  parseKidOfBank(target, kid, 'unit');

/** The ids of the locations, each once. */
export const listLocationIds = (places: readonly { readonly locationId: number }[]): number[] => [
  ...new Set(places.map(({ locationId }) => locationId)),
];

/** The KID of an object without one of its own: that of its owner, and its name there. */
export const formatPartKid = (ownerKid: string, name: string): string => `${ownerKid}#${name}`;

export function splitPartKid(kid: string): readonly [ownerKid: string, name: string] {
  const index = kid.indexOf('#');
  return index === -1 ? [kid, ''] : [kid.slice(0, index), kid.slice(index + 1)];
}

/**
 * The KIDs that many rows of an export have. Each is one text, however many rows have it, so that a map finds quickly what
 * belongs to it.
 */
export function createSharedKids(bankKid: string) {
  const location = rememberEach((id) => formatLocationKid(bankKid, id));
  const unitsOf = rememberEach((locationId) => rememberEach((id) => formatUnitKid(location(locationId), id)));
  return {
    location,
    unit: (locationId: number, unitId: number) => unitsOf(locationId)(unitId),
    user: rememberEach(createUserKidFormatter(bankKid)),
  };
}

export type SharedKids = ReturnType<typeof createSharedKids>;

function rememberEach<T>(create: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>();
  return (id) => {
    let found = known.get(id);
    if (found === undefined) known.set(id, (found = create(id)));
    return found;
  };
}
