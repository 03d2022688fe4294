// Declares GetObjectAddress, UpdateObjectAddress, LookupObjectCoordinates, SetObjectCoordinates and
// SetObjectCoordinateProvenance.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import type { Geocoder } from '../../providers/geocoding/geocoder.ts';
import { addressReadAccess, addressWriteAccess } from './access.ts';
import { getObjectAddress } from './operations/get-object-address.ts';
import { lookupObjectCoordinates } from './operations/lookup-object-coordinates.ts';
import { setObjectCoordinateProvenance } from './operations/set-object-coordinate-provenance.ts';
import { setObjectCoordinates } from './operations/set-object-coordinates.ts';
import { updateObjectAddress } from './operations/update-object-address.ts';
import { ExpectedRevision } from '../../http/schemas/schema-types.ts';
import {
  ObjectAddressUpdate,
  AddressParams,
  ObjectCoordinatesUpdate,
  ObjectAddress,
  ObjectCoordinateProvenanceUpdate,
} from './schemas.ts';

const common = {
  openApiDocuments: ['portal'],
  group: 'Addresses',
  params: AddressParams,
  response: jsonOf(ObjectAddress),
} as const;

const write = {
  ...common,
  access: addressWriteAccess,
  problemCodes: ['not-found', 'address-conflict'],
  acceptsIdempotencyKey: true,
} as const;

// A lookup can wait for two requests to a provider.
const lookupDeadlineMs = 30_000;
const deadlineMs = 10_000;

export const addressesRoutes = ({ geocoder }: { readonly geocoder: Geocoder }): Operation[] => [
  defineManagerOperation({
    ...common,
    id: 'GetObjectAddress',
    method: 'GET',
    path: '/api/v1/addresses/{kid}',
    summary: 'Read the address and the coordinates of a bank, location, unit or resident',
    description:
      'The address is the object’s own and is never inherited. A disabled location, or a unit in one, needs a tenant-wide grant.',
    access: addressReadAccess,
    problemCodes: ['not-found'],
    deadlineMs,
    run: ({ params }, context) => getObjectAddress(context, params.kid),
  }),
  defineManagerOperation({
    ...write,
    id: 'UpdateObjectAddress',
    method: 'PUT',
    path: '/api/v1/addresses/{kid}',
    summary: 'Write an address and look up its coordinates',
    description:
      'Stores address and zip, and then looks up the coordinates, unless they were set by hand or the address is incomplete. Before it looks up, it clears the coordinates of an earlier lookup; an incomplete address changes neither coordinates nor provenance. A bare postal code gets its city. 200 confirms what is stored, even if the lookup failed: see outcome.',
    body: ObjectAddressUpdate,
    deadlineMs: lookupDeadlineMs,
    run: ({ params, body }, context) => updateObjectAddress(context, { ...params, ...body }, geocoder),
  }),
  defineManagerOperation({
    ...write,
    id: 'LookupObjectCoordinates',
    method: 'POST',
    path: '/api/v1/addresses/{kid}/lookup',
    summary: 'Look up the coordinates of an address as it is',
    description:
      'Coordinates that were looked up before are cleared before the provider is asked; those set by hand are replaced only if the lookup succeeds. Without an available provider nothing changes. A location without an address is looked up by name and zip, and the name becomes its address.',
    body: ExpectedRevision,
    deadlineMs: lookupDeadlineMs,
    run: ({ params, body }, context) => lookupObjectCoordinates(context, { ...params, ...body }, geocoder),
  }),
  defineManagerOperation({
    ...write,
    id: 'SetObjectCoordinates',
    method: 'PUT',
    path: '/api/v1/addresses/{kid}/coordinates',
    summary: 'Set coordinates by hand',
    description: 'They are kept when the address changes, until they are looked up or their provenance is set.',
    body: ObjectCoordinatesUpdate,
    deadlineMs,
    run: ({ params, body }, context) => setObjectCoordinates(context, { ...params, ...body }),
  }),
  defineManagerOperation({
    ...write,
    id: 'SetObjectCoordinateProvenance',
    method: 'PUT',
    path: '/api/v1/addresses/{kid}/provenance',
    summary: 'Set where coordinates are from',
    description: 'The coordinates stay as they are, and nothing is looked up. 1 to 12 are refused without coordinates.',
    body: ObjectCoordinateProvenanceUpdate,
    deadlineMs,
    run: ({ params, body }, context) => setObjectCoordinateProvenance(context, { ...params, ...body }),
  }),
];
