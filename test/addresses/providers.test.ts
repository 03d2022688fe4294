// Address lookups through real adapters: Nominatim, as an operator configures it, and the demo's gazetteer.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { serviceSuite, type ServiceSuite } from '../support/service-suite.ts';
import { addressMonth, addressNow } from './support/address-suite.ts';

type Found = number | readonly object[];
let targets: string[] = [];
let findPlaces: (query: URLSearchParams) => Found;

/** A house of the address that is asked for, or the city of a postal code. */
const findAll = (query: URLSearchParams): Found => {
  const address = { country_code: 'dk', postcode: '2100', city: 'Byen' };
  const house = query.get('q') === null ? {} : { road: 'Elm Lane', house_number: '1' };
  return [{ lat: '55.7070001', lon: '12.5770001', address: { ...address, ...house } }];
};

const server = createServer((request, response) => {
  targets.push(request.url ?? '');
  const found = findPlaces(new URL(request.url ?? '', 'http://localhost').searchParams);
  response.writeHead(typeof found === 'number' ? found : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(typeof found === 'number' ? { error: {} } : found));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const directory = mkdtempSync(join(tmpdir(), 'portal-geocoder-'));
const settingsFile = join(directory, 'geocoder.json');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
writeFileSync(
  settingsFile,
  JSON.stringify({
    providers: { local: { type: 'nominatim', baseUrl, requestsPerSecond: 1000, maxConcurrent: 10 } },
    countries: { DK: { address: 'local', postalCity: 'local' } },
  }),
);
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

const createUpdate =
  ({ service, manager, nextBankId }: ServiceSuite) =>
  async (suffix: string, text: { address: string; zip: string }) => {
    const bankId = nextBankId();
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId });
      await insertTestResident(db, 1001, { bankId });
    });
    const path = `/api/v1/addresses/sund-B${bankId}${suffix}`;
    const { revision } = (await service.call('GET', path, { token: manager.token })).json;
    return service.call('PUT', path, { token: manager.token, body: { ...text, expectedRevision: revision } });
  };

const bare = { address: 'Elm Lane 1', zip: '2100' };

serviceSuite({ now: addressNow, settings: { PORTAL_GEOCODER: settingsFile } }, (suite) => {
  const update = createUpdate(suite);
  beforeEach(() => {
    targets = [];
    findPlaces = findAll;
  });

  test('[addresses.29, addresses.43, addresses.46, addresses.51] a bare postal code and the coordinates come from Nominatim, with two requests', async () => {
    const { json } = await update('-L1', bare);
    assert.deepEqual(
      [json.outcome, json.zip, json.latitude, json.longitude, json.autoLatitudeLongitude],
      ['Success', '2100 Byen', 55_707_000, 12_577_000, addressMonth],
    );
    assert.equal(targets.length, 2);
  });

  test('[addresses.30, addresses.48, addresses.51] failures of Nominatim are outcomes, and no request is repeated', async () => {
    for (const [found, outcome] of [
      [503, 'TransientFailure'],
      [429, 'TransientFailure'],
      [403, 'PermanentFailure'],
      [[], 'NoResult'],
      [[{ broken: true }], 'PermanentFailure'],
    ] as const) {
      targets = [];
      findPlaces = () => found;
      const { status, json } = await update('', bare);
      assert.deepEqual([status, json.outcome, json.zip, json.latitude], [200, outcome, '2100', null]);
      assert.equal(targets.length, 2);
    }
  });

  test('[addresses.50] a postal code without a city gets the city of the address', async () => {
    findPlaces = (query) =>
      query.get('q') === null
        ? [{ lat: '55', lon: '12', address: { country_code: 'dk', postcode: '2100' } }]
        : findAll(query);
    const { json } = await update('-L1-U1', bare);
    assert.deepEqual([json.outcome, json.zip], ['Success', '2100 Byen']);
  });

  test('[addresses.59] a resident’s address and postal code go to a provider only with the operator’s consent', async () => {
    for (const text of [{ ...bare, zip: '2100 Byen' }, bare]) {
      const { status, json } = await update('-R1001', text);
      assert.deepEqual([status, json.outcome, json.address, json.zip], [200, 'NotConfigured', 'Elm Lane 1', text.zip]);
    }
    const { json } = await update('-R1001', { address: '', zip: '2100' });
    assert.deepEqual([json.outcome, json.zip], ['IncompleteAddress', '2100']);
    assert.deepEqual(targets, []);
  });
});

serviceSuite({ now: addressNow, demo: true }, (suite) => {
  const update = createUpdate(suite);

  test('[addresses.29, addresses.46] the demo’s gazetteer knows the demo’s streets', async () => {
    for (const suffix of ['', '-L1', '-L1-U1', '-R1001']) {
      const { json } = await update(suffix, { address: 'Alder Lane 4', zip: '2100' });
      assert.deepEqual([json.outcome, json.zip], ['Success', '2100 København Ø']);
      assert.equal(Math.round(json.latitude / 100_000), 557);
    }
  });
});
