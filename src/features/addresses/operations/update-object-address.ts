// UpdateObjectAddress: stores address and zip, and then looks up the coordinates and the city of a postal code without
// one.

import type { Static } from 'typebox';
import type { WriteDb } from '../../../database/db.ts';
import { queueKeyOf } from '../../../http/context/principal.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { parsePostcode } from '../../../lib/text/postal-code.ts';
import { maxRequestsOfAddress, type Geocoder } from '../../../providers/geocoding/geocoder.ts';
import { failureOf } from '../look-up-address.ts';
import { toObjectAddress } from '../answers.ts';
import { requireExpectedRevision } from '../change-address.ts';
import type { AddressObject } from '../require-address-object.ts';
import { isComplete, normalizeAddressText, type AddressText } from '../rules/address-text.ts';
import { utcMonthOf, hasSameText, isManual, withLookedUpCoordinates, withText } from '../rules/provenance.ts';
import { saveAddress } from '../change-address.ts';
import type { AddressParams, ObjectAddress, ObjectAddressUpdate } from '../schemas.ts';
import { writeWithLookup, type AddressWriteWithLookup, type BegunWrite } from '../change-address.ts';

type UpdateObjectAddressInput = Static<typeof AddressParams> & Static<typeof ObjectAddressUpdate>;

export async function updateObjectAddress(
  context: ManagerContext,
  input: UpdateObjectAddressInput,
  geocoder: Geocoder,
): Promise<WriteAnswer<ObjectAddress>> {
  const { address, zip } = input;
  const text = { address, zip };
  return writeWithLookup(context, geocoder, {
    kid: input.kid,
    begin: async (db, object) => {
      requireExpectedRevision(object, input.expectedRevision);
      return saveText(db, object, text, context);
    },
    finish: (db, object, looked) => saveResult(db, object, looked, context),
  });
}

async function saveText(
  db: WriteDb,
  object: AddressObject,
  text: AddressText,
  context: ManagerContext,
): Promise<BegunWrite> {
  const { tenant } = context;
  // Texts of an older system can be in a different form.
  if (hasSameText(normalizeAddressText(object.row), text)) return { object, lookup: undefined, outcome: 'Unchanged' };
  const saved = await saveAddress(db, context, object, withText(object.row, text));
  const isManuallyPlaced = isManual(saved.row);
  const wantsCoordinates = !isManuallyPlaced && isComplete(text);
  const postcode = parsePostcode(tenant.country, text.zip);
  const isResident = object.key.type === 'user';
  const lookup = {
    ...text,
    tenant: tenant.name,
    turnKey: queueKeyOf(tenant, context.principal),
    country: tenant.country,
    isResident,
    wantsCoordinates,
    maxRequests: maxRequestsOfAddress,
    postcode,
  };
  return {
    object: saved,
    lookup: wantsCoordinates || postcode !== undefined ? lookup : undefined,
    // The outcome if the result of the lookup is not stored.
    outcome: isManuallyPlaced
      ? 'ManualCoordinatesPreserved'
      : wantsCoordinates
        ? 'TransientFailure'
        : 'IncompleteAddress',
  };
}

async function saveResult(
  db: WriteDb,
  object: AddressObject,
  { result, outcome }: Parameters<AddressWriteWithLookup['finish']>[2],
  context: ManagerContext,
): Promise<ObjectAddress> {
  const { zip = object.row.zip, coordinates } = result;
  const completed = { ...object.row, zip };
  if (coordinates === undefined || !('found' in coordinates))
    return toObjectAddress(await saveAddress(db, context, object, completed), failureOf(result) ?? outcome);
  const located = withLookedUpCoordinates(completed, coordinates.found, utcMonthOf(context.currentTime));
  return toObjectAddress(await saveAddress(db, context, object, located), 'Success');
}
