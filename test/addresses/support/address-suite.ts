// Declares suites on addresses: a service with its own provider, and calls of the five operations.

import assert from 'node:assert/strict';
import { before, beforeEach } from 'node:test';
import type { AddressColumns } from '../../../src/database/tables/address-columns.ts';
import type { AddressKidType } from '../../../src/features/addresses/rules/address-kid.ts';
import { addressOf, updateStoredAddress } from './stored-addresses.ts';
import type { CallOptions, HttpReply } from '../../support/call.ts';
import { insertTestBank, insertTestResident } from '../../support/factories.ts';
import { serviceSuite, type ServiceSuite, type SuiteOptions } from '../../support/service-suite.ts';
import { createGeocodingProvider, type GeocodingProvider } from './geocoding-provider.ts';

/** 2026-06-15: the sixth month. */
export const addressNow = Date.UTC(2026, 5, 15, 9, 30) - Date.UTC(2000, 0, 1);
export const addressMonth = 6;

export const kidTypes: readonly AddressKidType[] = ['bank', 'location', 'unit', 'user'];

export type AddressSuite = ServiceSuite & {
  readonly provider: GeocodingProvider;
  /** The KID of an object of the type, in a new bank. */
  newObject(type: AddressKidType, columns?: Partial<AddressColumns>, tenant?: string): Promise<string>;
  stored(kid: string): Promise<AddressColumns>;
  /** Writes columns directly to the database. */
  store(kid: string, columns: Partial<AddressColumns> & { name?: string; location_id?: number | null }): Promise<void>;
  get(kid: string, options?: CallOptions): Promise<HttpReply>;
  /** The write with the revision that the object has now, unless the body has one. */
  update(
    kid: string,
    body: { address: string; zip: string; expectedRevision?: string },
    options?: CallOptions,
  ): Promise<HttpReply>;
  lookup(kid: string, options?: CallOptions): Promise<HttpReply>;
  setCoordinates(kid: string, latitude: unknown, longitude: unknown, options?: CallOptions): Promise<HttpReply>;
  setProvenance(kid: string, value: unknown, options?: CallOptions): Promise<HttpReply>;
  write(kid: string, operation: WriteName, body: object, options?: CallOptions): Promise<HttpReply>;
};

export type WriteName = 'update' | 'lookup' | 'coordinates' | 'provenance';

export const writePaths: Readonly<Record<WriteName, readonly [method: string, suffix: string]>> = {
  update: ['PUT', ''],
  lookup: ['POST', '/lookup'],
  coordinates: ['PUT', '/coordinates'],
  provenance: ['PUT', '/provenance'],
};

/** A body of each write that is valid. */
export const writeBodies: Readonly<Record<WriteName, object>> = {
  update: { address: 'Elm Lane 1', zip: '2100 Byen' },
  lookup: {},
  coordinates: { latitude: 1, longitude: 2 },
  provenance: { value: 13 },
};

export const writeNames = Object.keys(writePaths) as WriteName[];

export const hostOf = (kid: string): string => `api.${kid.split('-', 1)[0]}.localhost`;

export const shownState = ({ json }: HttpReply) => ({
  address: json.address,
  zip: json.zip,
  latitude: json.latitude,
  longitude: json.longitude,
  autoLatitudeLongitude: json.autoLatitudeLongitude,
});

export function addressSuite(options: SuiteOptions, declare: (suite: AddressSuite) => void): void {
  const provider = createGeocodingProvider();
  serviceSuite({ now: addressNow, geocoder: provider.geocoder, ...options }, (suite) => {
    const { service, manager } = suite;
    before(async () => {
      await provider.start();
      suite.onStop(() => provider.stop());
    });
    beforeEach(() => provider.reset());
    const tokens = new Map<string, Promise<string>>();
    /** The token of a manager of the object's tenant with every right. */
    const tokenFor = (kid: string): Promise<string> => {
      const tenant = kid.split('-', 1)[0] ?? '';
      if (tenant === 'sund') return Promise.resolve(manager.token);
      const token = tokens.get(tenant) ?? suite.issueToken({ tenant });
      tokens.set(tenant, token);
      return token;
    };
    const get = async (kid: string, call: CallOptions = {}) =>
      service.call('GET', `/api/v1/addresses/${kid}`, { host: hostOf(kid), token: await tokenFor(kid), ...call });
    const write = async (kid: string, operation: WriteName, body: object, call: CallOptions = {}) => {
      const expectedRevision = 'expectedRevision' in body ? body.expectedRevision : await readRevision(kid);
      const [method, suffix] = writePaths[operation];
      return service.call(method, `/api/v1/addresses/${kid}${suffix}`, {
        host: hostOf(kid),
        token: await tokenFor(kid),
        body: { ...body, expectedRevision },
        ...call,
      });
    };
    const readRevision = async (kid: string): Promise<string> => {
      const { status, json, text } = await get(kid);
      assert.equal(status, 200, text);
      return json.revision;
    };
    declare({
      ...suite,
      provider,
      newObject: async (type, columns = {}, tenant = 'sund') => {
        const bankId = suite.nextBankId();
        await service.write(tenant, async (db) => {
          await insertTestBank(db, { bankId, places: { 1: [1], 2: [1] } });
          await insertTestResident(db, 1001, { bankId });
        });
        const bankKid = `${tenant}-B${bankId}`;
        const kid = { bank: bankKid, location: `${bankKid}-L1`, unit: `${bankKid}-L1-U1`, user: `${bankKid}-R1001` }[
          type
        ];
        if (Object.keys(columns).length > 0) await updateStoredAddress(service, kid, columns);
        return kid;
      },
      stored: (kid) => addressOf(service, kid),
      store: (kid, columns) => updateStoredAddress(service, kid, columns),
      get,
      write,
      update: (kid, body, call) => write(kid, 'update', body, call),
      lookup: (kid, call) => write(kid, 'lookup', {}, call),
      setCoordinates: (kid, latitude, longitude, call) => write(kid, 'coordinates', { latitude, longitude }, call),
      setProvenance: (kid, value, call) => write(kid, 'provenance', { value }, call),
    });
  });
}
