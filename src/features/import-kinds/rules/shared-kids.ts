// The KIDs that many rows of an export have. Each is one text, however many rows have it, so that a map finds quickly what
// belongs to it.

import { createUserKidFormatter, formatLocationKid, formatUnitKid } from '../../../lib/kid.ts';

export type SharedKids = {
  location(locationId: number): string;
  unit(locationId: number, unitId: number): string;
  user(userId: number): string;
};

export function createSharedKids(bankKid: string): SharedKids {
  const location = rememberEach((id) => formatLocationKid(bankKid, id));
  const unitsOf = rememberEach((locationId) => rememberEach((id) => formatUnitKid(location(locationId), id)));
  return {
    location,
    unit: (locationId, unitId) => unitsOf(locationId)(unitId),
    user: rememberEach(createUserKidFormatter(bankKid)),
  };
}

function rememberEach<T>(create: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>();
  return (id) => {
    let found = known.get(id);
    if (found === undefined) known.set(id, (found = create(id)));
    return found;
  };
}
