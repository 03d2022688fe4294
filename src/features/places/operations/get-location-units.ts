// GetLocationUnits: lists the units of a location.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid } from '../../../lib/kid.ts';
import { requireCoveredLocation, type LocationKey } from '../../../permissions/coverage.ts';
import { listUnitOverviewRows } from '../queries/units.ts';
import { toUnit } from '../answers.ts';
import { readUnitPage, type UnitListQuery } from '../read-unit-page.ts';
import { openPlaceList } from '../read-list-page.ts';

type GetLocationUnitsInput = { readonly locationKid: LocationKey; readonly listing: UnitListQuery };

export async function getLocationUnits(context: ManagerContext, { locationKid, listing }: GetLocationUnitsInput) {
  const { scope, language } = context;
  const location = requireCoveredLocation(scope, locationKid);
  const itemContext = { locationKid: formatKid({ ...location, type: 'location' }), language };
  const input = await openPlaceList(context, listing);
  return context.read(async (db) => {
    const { page } = await readUnitPage(db, location, { listing: input, language, listRows: listUnitOverviewRows });
    return { ...page, items: page.items.map((row) => toUnit(row, itemContext)) };
  });
}
