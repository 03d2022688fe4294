// Creates a manager's grants from their rows.

import type { Grants } from '../../../permissions/needs.ts';

/** Bank 0 is the whole tenant, location 0 the whole bank. */
export function toGrants(rows: readonly { bank_id: number; location_id: number }[]): Grants {
  const banks = new Set<number>();
  const locations = new Map<number, Set<number>>();
  for (const { bank_id, location_id } of rows) {
    if (location_id === 0) banks.add(bank_id);
    else locations.set(bank_id, (locations.get(bank_id) ?? new Set()).add(location_id));
  }
  return { tenantWide: banks.delete(0), banks, locations };
}
