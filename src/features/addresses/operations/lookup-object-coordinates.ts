// LookupObjectCoordinates: looks up the coordinates of the stored address, and replaces those set by hand too. A
// location without an address is looked up by its name, which then becomes its address.

import type { WriteDb } from '../../../database/db.ts';
import { queueKeyOf } from '../../../http/context/principal.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { Geocoder } from '../../../providers/geocoding/geocoder.ts';
import { toObjectAddress } from '../answers.ts';
import { requireExpectedRevision } from '../change-address.ts';
import type { AddressKid } from '../rules/address-kid.ts';
import type { AddressObject } from '../require-address-object.ts';
import { canLookUpAddress } from '../look-up-address.ts';
import { isComplete, toNameQuery, type AddressText } from '../rules/address-text.ts';
import { utcMonthOf, withLookedUpCoordinates, withoutAutomaticCoordinates } from '../rules/provenance.ts';
import { saveAddress } from '../change-address.ts';
import type { ObjectAddress } from '../schemas.ts';
import { writeWithLookup, type AddressWriteWithLookup } from '../change-address.ts';

export function lookupObjectCoordinates(
  context: ManagerContext,
  { kid, expectedRevision }: { readonly kid: AddressKid; readonly expectedRevision: string },
  geocoder: Geocoder,
): Promise<WriteAnswer<ObjectAddress>> {
  const { tenant } = context;
  return writeWithLookup(context, geocoder, {
    kid,
    begin: async (db, object) => {
      requireExpectedRevision(object, expectedRevision);
      const query = toQuery(object, tenant.country);
      if (query === undefined) return { object, lookup: undefined, outcome: 'IncompleteAddress' };
      const lookup = {
        ...query,
        tenant: tenant.name,
        turnKey: queueKeyOf(tenant, context.principal),
        country: tenant.country,
        isResident: object.key.type === 'user',
        wantsCoordinates: true,
        maxRequests: 1,
        postcode: undefined,
      };
      // Coordinates are cleared only before a request, and none will be sent.
      if (!canLookUpAddress(geocoder, lookup)) return { object, lookup: undefined, outcome: 'NotConfigured' };
      return {
        object: await saveAddress(db, context, object, withoutAutomaticCoordinates(object.row)),
        lookup,
        // The outcome if the result of the lookup is not stored.
        outcome: 'TransientFailure',
      };
    },
    finish: (db, object, looked) => saveResult(db, object, looked, context),
  });
}

/** What the object is looked up by; undefined if that is incomplete. */
function toQuery({ key, row }: AddressObject, country: string): AddressText | undefined {
  if (key.type === 'location' && row.address.trim() === '') return toNameQuery(country, row.name, row.zip);
  const { address, zip } = row;
  return isComplete({ address, zip }) ? { address, zip } : undefined;
}

async function saveResult(
  db: WriteDb,
  object: AddressObject,
  { lookup, result: { coordinates } }: Parameters<AddressWriteWithLookup['finish']>[2],
  context: ManagerContext,
): Promise<ObjectAddress | undefined> {
  // The location has been renamed meanwhile.
  if (toQuery(object, context.tenant.country)?.address !== lookup.address) return undefined;
  if (coordinates === undefined || !('found' in coordinates)) throw new Error('nothing was found that can be stored');
  const { address } = lookup;
  const located = withLookedUpCoordinates(
    { ...object.row, address },
    coordinates.found,
    utcMonthOf(context.currentTime),
  );
  return toObjectAddress(await saveAddress(db, context, object, located), 'Success');
}
