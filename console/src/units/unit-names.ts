// The names of the units of a location, for what the service tells of them by their KIDs.

import { largestPages } from '../api/limits.ts';
import { useRead } from '../api/use-read.ts';

export function useUnitNames(locationKid: string, enabled = true): (unitKids: readonly string[]) => string {
  const { data } = useRead('GetLocationUnits', { locationKid, limit: largestPages.GetLocationUnits }, { enabled });
  const names = new Map((data?.items ?? []).map(({ kid, name }) => [kid, name]));
  return (unitKids) => unitKids.map((kid) => names.get(kid) ?? kid).join(', ');
}
