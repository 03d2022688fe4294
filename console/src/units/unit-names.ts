// The names of the units of a location, for what the service tells of them by their KIDs.

import { useRead } from '../api/use-read.ts';

const maxLimit = 200;

export function useUnitNames(locationKid: string, enabled = true): (unitKids: readonly string[]) => string {
  const { data } = useRead('GetLocationUnits', { locationKid, limit: maxLimit }, { enabled });
  const names = new Map((data?.items ?? []).map(({ kid, name }) => [kid, name]));
  return (unitKids) => unitKids.map((kid) => names.get(kid) ?? kid).join(', ');
}
