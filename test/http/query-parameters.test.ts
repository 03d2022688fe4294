// Query strings: names in any case, each at most once, values of the declared type and range; nothing is ignored.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { validationCode } from '../../src/http/operations/operation-properties.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { createSample } from './support/operation-samples.ts';
import { serviceSuite } from '../support/service-suite.ts';

const account = '/api/v1/banks/sund-B1001/account';

/** A valid value for each query parameter of the account, which changes the answer. */
const telling: Record<string, string> = {
  From: '2026-01-01',
  Through: '2026-12-31',
  TimeZone: 'Europe/Oslo',
  Period: '0',
  LocationKid: 'sund-B1001-L1',
  UnitKid: 'sund-B1001-L1-U1',
  UserKid: 'sund-B1001-R1001',
  Kind: 'debit',
  IncludeZero: 'false',
  IncludeBookings: 'false',
  IncludeMonthly: 'false',
  Offset: '7',
  Limit: '3',
};

const numbers = ['Period', 'Offset', 'Limit'];
const noNumbers = [
  '',
  'x',
  '1.0',
  '1.5',
  '1e2',
  '0x10',
  '01',
  '-01',
  '+1',
  ' 1',
  '1 ',
  '1,0',
  '１',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[1]',
];
const flags = ['IncludeZero', 'IncludeBookings', 'IncludeMonthly'];
const noFlags = ['', '0', '1', 'yes', 'no', 'on', 't', 'null', ' true', 'true '];
const dates = ['From', 'Through'];
const noDates = [
  '',
  'today',
  '2026-1-1',
  '20260101',
  '2026-02-30',
  '2026-13-01',
  '2026-01-01T00:00:00Z',
  '01-01-2026',
  '+02026-01-01',
  '2026-01-01 ',
];

const wrongTypes: [name: string, value: string][] = [
  ...numbers.flatMap((name) => noNumbers.map((value): [string, string] => [name, value])),
  ...flags.flatMap((name) => noFlags.map((value): [string, string] => [name, value])),
  ...dates.flatMap((name) => noDates.map((value): [string, string] => [name, value])),
];
const outOfRange: [name: string, value: string][] = [
  ['Limit', '0'],
  ['Limit', '-1'],
  ['Limit', '201'],
  ['Offset', '-1'],
  ['Offset', '100001'],
  ['Period', '-1'],
  ['Period', '2147483648'],
  ['Limit', '9007199254740993'],
  ['Limit', '9'.repeat(400)],
  ['Kind', 'DEBIT'],
  ['Kind', 'both'],
  ['Kind', ''],
  ['TimeZone', 'Europe/Atlantis'],
  ['TimeZone', 'x'.repeat(65)],
];

serviceSuite({}, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1001);
    });
  });

  /** Expects a refusal and returns its code and the paths of its errors. */
  const refused = async (path: string): Promise<string> => {
    const { status, json } = await service.call('GET', path, manager);
    assert.equal(status, 400, path);
    for (const { message } of json.errors) assert.equal(typeof message, 'string');
    return `${json.code} ${json.errors.map((error: { path: string }) => error.path).join()}`;
  };
  const withQuery = (query: Record<string, string>): string => `${account}?${new URLSearchParams(query).toString()}`;

  test('[general.39] query names match in any case', async () => {
    const { json: exact } = await service.call('GET', withQuery(telling), manager);
    const { json: none } = await service.call('GET', account, manager);
    assert.notDeepEqual(exact, none);
    const spelled = fc.record(
      Object.fromEntries(Object.keys(telling).map((name) => [name, fc.mixedCase(fc.constant(name))])),
    );
    await fc.assert(
      fc.asyncProperty(spelled, async (names) => {
        const query = Object.entries(telling).map(([name, value]) => [names[name] ?? name, value]);
        const { status, json } = await service.call('GET', withQuery(Object.fromEntries(query)), manager);
        assert.equal(status, 200);
        assert.deepEqual(json, exact);
      }),
      { numRuns: 15 },
    );
  });

  test('[general.35, general.40] an unknown query name is 400 on every operation', async () => {
    const names = [
      'nothing',
      'Limits',
      'Limit[]',
      'limit ',
      'Lımit',
      '',
      '__proto__',
      'constructor',
      'toString',
      'bankKid',
    ];
    for (const name of names)
      assert.equal(await refused(`${account}?${encodeURIComponent(name)}=1`), `invalid-request query.${name}`);
    for (const operation of createOperations(service.dependencies).operations) {
      // Suites of their own call these with a key, or send files.
      if (operation.access === 'computer' || operation.bodyFormat === 'octets') continue;
      const { method, path, body } = createSample(operation);
      const { status, json } = await service.call(method, `${path}?nothing=1`, { token: manager.token, body });
      assert.deepEqual(
        [status, json.code, json.errors[0].path],
        [400, validationCode(operation, 'query'), 'query.nothing'],
        operation.id,
      );
    }
    assert.equal(await refused(`${account}?a&b=2`), 'invalid-request query.a,query.b');
    assert.equal(await refused(`/api/v1/session/me?${'x'.repeat(5000)}=1`), `invalid-request query.${'x'.repeat(64)}`);
  });

  test('[general.35] a query that is not percent-encoded UTF-8 is 400', async () => {
    for (const search of ['From=%ff', 'From=%ED%A0%BD', 'From=2026-01-01%2', '%', 'From=%zz']) {
      const { status, json } = await service.call('GET', `${account}?${search}`, manager);
      assert.deepEqual([status, json.code, json.errors[0].path], [400, 'invalid-request', 'query'], search);
    }
    assert.equal((await service.call('GET', `${account}?From=2026-01-01&TimeZone=Europe%2FOslo`, manager)).status, 200);
  });

  test('[general.40] a single-valued parameter given twice is 400, in any case', async () => {
    for (const [name, value] of Object.entries(telling)) {
      const one = `${name}=${encodeURIComponent(value)}`;
      assert.equal(await refused(`${account}?${one}&${one}`), `invalid-request query.${name}`);
      const other = one.replace(name, name.toLowerCase());
      assert.equal(await refused(`${account}?${other}&${one}`), `invalid-request query.${name}`);
    }
  });

  test('[general.30, general.35] a query value of the wrong type is 400 and says where', async () => {
    for (const [name, value] of wrongTypes)
      for (const path of [
        withQuery({ [name]: value }),
        withQuery({ [name.toLowerCase()]: value }).replace('?', '/revision?'),
      ])
        assert.equal(await refused(path), `invalid-request query.${name}`, `${name}=${value}`);
  });

  test('[general.35, general.40] a query value out of its range is 400, never clamped', async () => {
    for (const [name, value] of outOfRange)
      assert.equal(await refused(withQuery({ [name]: value })), `invalid-request query.${name}`, `${name}=${value}`);
    for (const query of [{ Limit: '1' }, { Limit: '200' }, { Offset: '100000' }, { Period: '2147483647' }]) {
      const { status, json } = await service.call('GET', withQuery(query), manager);
      assert.equal(status, 200);
      const [[name, value] = ['', '']] = Object.entries(query);
      assert.equal(json[name.toLowerCase()], Number(value));
    }
  });

  test('flags are true and false in any case', async () => {
    for (const value of ['true', 'false', 'TRUE', 'False']) {
      const { status } = await service.call('GET', withQuery({ IncludeZero: value }), manager);
      assert.equal(status, 200, value);
    }
  });

  test('[general.35] all errors of a query are listed at once', async () => {
    const listed = await refused(`${account}?Limit=0&offset=x&nothing=1&Limit=3&LocationKid=x`);
    const [code, paths = ''] = listed.split(' ');
    assert.equal(code, 'invalid-request');
    const expected = ['query.Limit', 'query.Limit', 'query.LocationKid', 'query.Offset', 'query.nothing'];
    assert.deepEqual(paths.split(',').toSorted(), expected);
  });
});
