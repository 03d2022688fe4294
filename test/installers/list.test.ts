// GetInstallers: which installers are listed, with which fields, and in which order.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { installerStates } from '../../src/features/installers/rules/installer-states.ts';
import { insertTestBank } from '../support/factories.ts';
import {
  createInstaller,
  insertTestInstaller,
  installerKid,
  installersPath,
  type InstallerDraft,
} from '../support/installers.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const drafts: readonly InstallerDraft[] = [
  {
    installerId: 2001,
    name: 'Åse Example',
    email: 'ase@example.org',
    phone: '+45 12 34 56 78',
    organisation: 'Ærø Plumbing',
    tags: ['Plumbing', 'On call', 'PLUMBING'],
    lastActivityAt: testNow,
    icon: 'person_engineer',
    locations: [
      { bankId: 1001, locationId: 2 },
      { bankId: 1001, locationId: 1 },
      { bankId: 1002, locationId: 1 },
      { bankId: 1001, locationId: 99 },
    ],
  },
  { installerId: 2002, name: 'Example 10', phone: '000-9001', state: 'invited', tags: ['Meters'] },
  { installerId: 2003, name: 'example 9', state: 'disabled', lastActivityAt: testNow - dayMs, icon: 'calendar' },
  { installerId: 2004, name: 'example 9', tags: ['on call'], lastActivityAt: testNow - 2 * dayMs },
];

serviceSuite({ now: testNow, tenants: ['sund', 'fjord'] }, ({ service, manager, issueToken }) => {
  let reader: string;
  before(async () => {
    reader = await issueToken({ tabs: ['Installers1'], permissions: ['Installer.Read'] });
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestBank(db, { bankId: 1002, deletedAt: 1 });
      await insertTestInstaller(db, ...drafts);
    });
    await service.write('fjord', (db) => insertTestInstaller(db, { installerId: 2001, name: 'Another one' }));
  });
  const list = async (query = '', token = reader) => {
    const { status, json, text } = await service.call('GET', `${installersPath}?${query}`, { token });
    assert.equal(status, 200, text);
    return json;
  };
  const listIds = async (query = ''): Promise<number[]> =>
    (await list(query)).items.map(({ kid }: { kid: string }) => Number(kid.split('-I')[1]));

  test('[installers.01, installers.04, installers.07] an item holds the installer’s identity, place, tags, state and activity', async () => {
    const { items, nextCursor: _nextCursor, ...page } = await list('sort=kid&limit=3');
    assert.deepEqual(page, { offset: 0, limit: 3, hasMore: true });
    assert.deepEqual(items, [
      {
        kid: installerKid(2001),
        name: 'Åse Example',
        email: 'ase@example.org',
        locations: [
          { kid: 'sund-B1001-L1', name: 'Location 1' },
          { kid: 'sund-B1001-L2', name: 'Location 2' },
        ],
        tags: ['On call', 'PLUMBING'],
        state: 'active',
        iconKid: 'person_engineer',
        lastActivityUtc: '2026-06-15T09:30:00.000Z',
      },
      {
        kid: installerKid(2002),
        name: 'Example 10',
        email: '',
        locations: [],
        tags: ['Meters'],
        state: 'invited',
        iconKid: 'person',
        lastActivityUtc: null,
      },
      {
        kid: installerKid(2003),
        name: 'example 9',
        email: '',
        locations: [],
        tags: [],
        state: 'disabled',
        iconKid: 'calendar~tMTU',
        lastActivityUtc: '2026-06-14T09:30:00.000Z',
      },
    ]);
  });

  test('[installers.05, installers.07] the list is of one state and one tag, or of all', async () => {
    const table: [query: string, ids: number[]][] = [
      ['', [2001, 2002, 2003, 2004]],
      ['state=all', [2001, 2002, 2003, 2004]],
      ['state=active', [2001, 2004]],
      ['state=invited', [2002]],
      ['state=disabled', [2003]],
      ['tag=on%20CALL', [2001, 2004]],
      ['tag=plumbing', [2001]],
      ['tag=plumb', []],
      ['tag=%25', []],
      ['tag=On%20call&state=disabled', []],
      ['tag=meters&state=invited', [2002]],
    ];
    for (const [query, ids] of table) assert.deepEqual(await listIds(`sort=kid&${query}`), ids, query);
    for (const query of ['state=gone', 'state=', 'tag=', `tag=${'a'.repeat(65)}`, 'tag=a&tag=b', 'tags=a']) {
      const { status, json } = await service.call('GET', `${installersPath}?${query}`, manager);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
    }
  });

  test('[installers.05] each word of the filter begins a word of name, email, phone, organisation, tags or id', async () => {
    const table: [filter: string, ids: number[]][] = [
      ['ase', [2001]],
      ['ÅSE EXAM', [2001]],
      ['aero', [2001]],
      ['4512', [2001]],
      ['+45 12 34 56 78', [2001]],
      ['0045 12 34', [2001]],
      ['000-9001', [2002]],
      ['(000) 9001', [2002]],
      ['example', [2001, 2002, 2003, 2004]],
      ['example 9', [2003, 2004]],
      ['call', [2001, 2004]],
      ['sund-I2002', [2002]],
      ['sund-I200', []],
      ['i200', [2001, 2002, 2003, 2004]],
      ['2003', [2003]],
      ['xample', []],
      ['%', []],
      ['_se', []],
      ['', [2001, 2002, 2003, 2004]],
    ];
    for (const [filter, ids] of table)
      assert.deepEqual(await listIds(`sort=kid&filter=${encodeURIComponent(filter)}`), ids, filter);
  });

  test('[installers.05] names sort without case and accents, with numbers by value; equal names sort by id', async () => {
    assert.deepEqual(await listIds(), [2001, 2003, 2004, 2002]);
    assert.deepEqual(await listIds('direction=desc'), [2002, 2004, 2003, 2001]);
    assert.deepEqual(await listIds('sort=lastActivity&direction=desc'), [2001, 2003, 2004, 2002]);
    assert.deepEqual(await listIds('sort=lastActivity'), [2002, 2004, 2003, 2001]);
    assert.deepEqual(await listIds('offset=1&limit=2'), [2003, 2004]);
    assert.deepEqual(await list('offset=9'), { items: [], offset: 9, limit: 50, hasMore: false, nextCursor: null });
    for (const query of ['sort=email', 'direction=up', 'limit=201', 'limit=0', 'offset=-1']) {
      const { status, json } = await service.call('GET', `${installersPath}?${query}`, manager);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
    }
  });

  test('each tenant has its own installers', async () => {
    const token = await issueToken({ tenant: 'fjord' });
    const { json } = await service.call('GET', installersPath, { token, host: 'api.fjord.localhost' });
    assert.deepEqual(
      json.items.map(({ kid, name }: { kid: string; name: string }) => [kid, name]),
      [['fjord-I2001', 'Another one']],
    );
  });

  const anyDraft = fc.record({
    state: fc.constantFrom(...installerStates),
    tags: fc.subarray(['Locks', 'Heating', 'Bæk']),
    lastActivityAt: fc.option(fc.constantFrom(testNow, testNow - dayMs)),
  });

  test('[installers.05] pages of any selection together are the whole of it, in one order', async () => {
    const made = fc.sample(anyDraft, { numRuns: 40, seed: 25 });
    const ids = made.map((_draft, at) => 3001 + at);
    const installers = made.map((draft, at) =>
      createInstaller({ ...draft, installerId: ids[at]!, organisation: 'Oracle' }),
    );
    await service.write('sund', (db) => insertTestInstaller(db, ...installers));
    for (const state of [...installerStates, 'all'])
      for (const tag of ['', 'BAEK', 'locks']) {
        const expected = installers
          .filter((each) => state === 'all' || each.state === state)
          .filter(({ tags }) => tag === '' || tags.some((each) => ({ Locks: 'locks', Bæk: 'BAEK' })[each] === tag))
          .toSorted((a, b) => (b.lastActivityAt ?? 0) - (a.lastActivityAt ?? 0) || b.installerId - a.installerId)
          .map(({ installerId }) => installerId);
        const found: number[] = [];
        for (let offset = 0; offset <= expected.length; offset += 7) {
          const tagQuery = tag === '' ? '' : `&tag=${tag}`;
          const query = `filter=oracle&state=${state}${tagQuery}&sort=lastActivity&direction=desc`;
          found.push(...(await listIds(`${query}&limit=7&offset=${offset}`)));
        }
        assert.deepEqual(found, expected, `${state} ${tag}`);
      }
  });
});
