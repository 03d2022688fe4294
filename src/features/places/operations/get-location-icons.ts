// GetLocationIcons: lists the icons of a bank's locations with the numbers of their units that are online and offline.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatBankKid } from '../../../lib/kid.ts';
import { requireCoveredBank, type BankKey } from '../../../permissions/coverage.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { readLocationPage, type LocationListQuery } from '../read-location-page.ts';
import { openPlaceList } from '../read-list-page.ts';
import { countContactsByLocation } from '../queries/contact-counts.ts';
import { toLocationIcons } from '../answers.ts';
import { contactBounds } from '../rules/contact-status.ts';

type GetLocationIconsInput = { readonly bankKid: BankKey; readonly listing: LocationListQuery };

export async function getLocationIcons(context: ManagerContext, { bankKid, listing }: GetLocationIconsInput) {
  const { scope, now } = context;
  const granted = requireCoveredBank(scope, bankKid);
  const input = await openPlaceList(context, listing);
  return context.read(async (db) => {
    const { bank, page } = await readLocationPage(db, granted, input, context);
    const locationIds = page.items.map(({ location_id }) => location_id);
    const counts = await countContactsByLocation(db, granted, locationIds, contactBounds(bank.bank_type, now));
    const countsByLocation = new Map(counts.map((each) => [each.location_id, each]));
    const itemContext = { bankKid: formatBankKid(granted.tenant, granted.bankId), dayOfMonth: dayOfMonthAt(now) };
    return {
      ...page,
      items: page.items.map((row) => toLocationIcons(row, countsByLocation.get(row.location_id), itemContext)),
    };
  });
}
