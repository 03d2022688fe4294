// GetBankLocations: lists the locations of a bank with the types of their units.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatBankKid } from '../../../lib/kid.ts';
import { requireCoveredBank, type BankKey } from '../../../permissions/coverage.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { readLocationPage, type LocationListQuery } from '../read-location-page.ts';
import { openPlaceList } from '../read-list-page.ts';
import { countUnitTypes } from '../queries/locations.ts';
import { toLocation } from '../answers.ts';
import { createTimeZoneResolver } from '../rules/location-time-zone.ts';

type GetBankLocationsInput = { readonly bankKid: BankKey; readonly listing: LocationListQuery };

export async function getBankLocations(context: ManagerContext, { bankKid, listing }: GetBankLocationsInput) {
  const { scope, tenant, language, now } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const input = await openPlaceList(context, listing);
  return context.read(async (db) => {
    const { page } = await readLocationPage(db, bank, input, context);
    const locationIds = page.items.map(({ location_id }) => location_id);
    const counts = await countUnitTypes(db, bank, locationIds);
    const countsByLocation = Map.groupBy(counts, ({ location_id }) => location_id);
    const itemContext = {
      bankKid: formatBankKid(bank.tenant, bank.bankId),
      language,
      dayOfMonth: dayOfMonthAt(now),
      resolveTimeZone: createTimeZoneResolver(tenant),
    };
    return {
      ...page,
      items: page.items.map((row) => toLocation(row, countsByLocation.get(row.location_id) ?? [], itemContext)),
    };
  });
}
