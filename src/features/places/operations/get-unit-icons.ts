// GetUnitIcons: lists the icons of a location's units, and whether the units are online.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid } from '../../../lib/kid.ts';
import { requireCoveredLocation, type LocationKey } from '../../../permissions/coverage.ts';
import { listUnitContacts } from '../queries/units.ts';
import { toUnitIcons } from '../answers.ts';
import { contactBounds } from '../rules/contact-status.ts';
import { readUnitPage, type UnitListQuery } from '../read-unit-page.ts';
import { openPlaceList } from '../read-list-page.ts';

type GetUnitIconsInput = { readonly locationKid: LocationKey; readonly listing: UnitListQuery };

export async function getUnitIcons(context: ManagerContext, { locationKid, listing }: GetUnitIconsInput) {
  const { scope, language, now } = context;
  const granted = requireCoveredLocation(scope, locationKid);
  const input = await openPlaceList(context, listing);
  return context.read(async (db) => {
    const { location, page } = await readUnitPage(db, granted, {
      listing: input,
      language,
      listRows: listUnitContacts,
    });
    const itemContext = {
      locationKid: formatKid({ ...granted, type: 'location' }),
      bounds: contactBounds(location.bank_type, now),
    };
    return { ...page, items: page.items.map((row) => toUnitIcons(row, itemContext)) };
  });
}
