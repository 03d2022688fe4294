// The writes of addresses that have one transaction, as tests of all writes send them.

import type { Call, CallOptions, HttpReply } from './call.ts';

type AddressWrite = { readonly method: string; readonly path: string; readonly body: object };

/** What each operation is asked for; a lookup has two transactions, and tests of its own. */
export const addressWrites: Readonly<Record<string, AddressWrite>> = {
  // Without a postal code nothing is looked up.
  UpdateObjectAddress: { method: 'PUT', path: '', body: { address: 'Elm Lane 1', zip: '' } },
  SetObjectCoordinates: { method: 'PUT', path: '/coordinates', body: { latitude: 55_000_000, longitude: 12_000_000 } },
  SetObjectCoordinateProvenance: { method: 'PUT', path: '/provenance', body: { value: 30 } },
};

const lookupWrite: AddressWrite = { method: 'POST', path: '/lookup', body: {} };

/** Reads the revision of an address, for the same write again and again. */
export async function prepareAddressWrite(
  { call }: { readonly call: Call },
  operationId: string,
  kid: string,
  reader: CallOptions,
): Promise<(options: CallOptions) => Promise<HttpReply>> {
  const { method, path, body } = addressWrites[operationId] ?? lookupWrite;
  const address = `/api/v1/addresses/${kid}`;
  const { revision: expectedRevision } = (await call('GET', address, reader)).json;
  return (options) => call(method, `${address}${path}`, { ...options, body: { ...body, expectedRevision } });
}
