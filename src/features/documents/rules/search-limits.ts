// Limits how much a search for documents covers.

import { Problem } from '../../../lib/problem.ts';
import { dayMs } from '../../../lib/time/durations.ts';

export const searchLimits = { intervalMs: 31 * dayMs, locations: 1000, units: 5000, settingRows: 35_000 } as const;

/** Counted up to one more than the limit. */
type SearchTotals = { readonly locations: number; readonly units: number; readonly settingRows: number };

/** Throws the Problem `search-too-large` for the first limit that is exceeded. */
export function checkSearchSize({ locations, units, settingRows }: SearchTotals): void {
  if (locations > searchLimits.locations) throw refuse(`${searchLimits.locations} locations`);
  if (units > searchLimits.units) throw refuse(`${searchLimits.units} units`);
  if (settingRows > searchLimits.settingRows) throw refuse(`${searchLimits.settingRows} settings of units`);
}

const refuse = (what: string): Problem =>
  new Problem('search-too-large', {
    detail: `The search covers more than ${what}: name one location with locationKid.`,
  });
