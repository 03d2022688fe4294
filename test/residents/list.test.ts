// GetBankUsers: which residents are listed, what is shown of them, and in which order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usersPath } from '../support/resident-calls.ts';
import { createBankOfResidents, type ResidentDraft } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId, issueToken }) => {
  async function createBank(residents: readonly ResidentDraft[]): Promise<number> {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, residents);
    return bankId;
  }
  const list = async (bankId: number, query = '', token = manager.token) => {
    const { status, json, text } = await service.call('GET', `${usersPath(bankId)}?${query}`, { token });
    assert.equal(status, 200, text);
    return json;
  };
  const listIds = async (bankId: number, query = '', token = manager.token): Promise<number[]> =>
    (await list(bankId, query, token)).items.map(({ kid }: { kid: string }) => Number(kid.split('-R')[1]));

  test('[residents.06, residents.08] an item holds the resident’s identity, place, state and balances', async () => {
    const bankId = await createBank([
      { name: 'Åse Lund', email: 'ase@example.org', phone: '12 34 56 78', apartment: '2. tv', revision: 7 },
      { name: 'Bo', location_id: null, enabled: 0 },
      { name: 'Cid', location_id: 2, deleted_at: testNow },
    ]);
    const bankKid = `sund-B${bankId}`;
    const unknown = {
      email: '',
      phone: '',
      apartment: '',
      language: 'en',
      balances: [],
      lastActivityUtc: null,
      revision: '1',
    };
    assert.deepEqual(await list(bankId), {
      items: [
        {
          ...unknown,
          kid: `${bankKid}-R1001`,
          name: 'Åse Lund',
          email: 'ase@example.org',
          phone: '12 34 56 78',
          apartment: '2. tv',
          locationKid: `${bankKid}-L1`,
          locationName: 'Location 1',
          state: 'active',
          iconKid: 'person',
          revision: '7',
        },
        {
          ...unknown,
          kid: `${bankKid}-R1002`,
          name: 'Bo',
          locationKid: null,
          locationName: '',
          state: 'disabled',
          iconKid: 'person~blocked',
        },
        {
          ...unknown,
          kid: `${bankKid}-R1003`,
          name: 'Cid',
          locationKid: `${bankKid}-L2`,
          locationName: 'Location 2',
          state: 'deleted',
          iconKid: 'person~deleted',
        },
      ],
      offset: 0,
      limit: 50,
      hasMore: false,
      nextCursor: null,
    });
  });

  test('[residents.07] the list is of one state, or of all', async () => {
    const bankId = await createBank([{}, { enabled: 0 }, { deleted_at: testNow }, { enabled: 0, deleted_at: testNow }]);
    const table: [query: string, ids: number[]][] = [
      ['', [1001, 1002, 1003, 1004]],
      ['state=all', [1001, 1002, 1003, 1004]],
      ['state=active', [1001]],
      ['state=disabled', [1002]],
      ['state=deleted', [1003, 1004]],
    ];
    for (const [query, ids] of table) assert.deepEqual(await listIds(bankId, query), ids, query);
  });

  test('[residents.07] the list is of one location, or of all locations and residents without one', async () => {
    const bankId = await createBank([{ location_id: 1 }, { location_id: 2 }, { location_id: null }]);
    const of = (location: number) => `locationKid=sund-B${bankId}-L${location}`;
    assert.deepEqual(await listIds(bankId), [1001, 1002, 1003]);
    assert.deepEqual(await listIds(bankId, of(1)), [1001]);
    assert.deepEqual(await listIds(bankId, of(2)), [1002]);
    assert.deepEqual(await listIds(bankId, of(9)), []);
  });

  test('[residents.21, residents.22] deleted residents are listed as long as the manager’s RetentionDays say, expired ones never', async () => {
    const firstKept = Math.floor(testNow / dayMs) * dayMs - 30 * dayMs;
    const bankId = await createBank([
      { deleted_at: testNow },
      { deleted_at: firstKept },
      { deleted_at: firstKept - 1 },
      { expired_at: testNow },
      { expired_at: testNow + 1 },
      { deleted_at: testNow, expired_at: testNow - 1 },
    ]);
    assert.deepEqual(await listIds(bankId), [1001, 1002, 1005]);
    assert.deepEqual(await listIds(bankId, 'state=deleted'), [1001, 1002]);
    assert.deepEqual(await listIds(bankId, 'state=active'), [1005]);
    for (const retentionDays of [0, null]) {
      const token = await issueToken({ retentionDays });
      assert.deepEqual(await listIds(bankId, '', token), [1005]);
      assert.deepEqual(await listIds(bankId, 'state=deleted', token), []);
    }
  });

  test('names and apartments are sorted without case and accents and numbers by value, in both directions', async () => {
    const bankId = await createBank([
      { name: 'bo', apartment: '10. tv' },
      { name: 'Åse', apartment: '2. tv' },
      { name: 'ada', apartment: '2. TH' },
      { name: 'Ada', apartment: '' },
      { name: 'Bo 10', apartment: 'A2' },
      { name: 'Bo 9', apartment: 'a10' },
    ]);
    const orders: Record<string, number[]> = {
      'sort=name': [1003, 1004, 1002, 1001, 1006, 1005],
      'sort=apartment': [1004, 1003, 1002, 1001, 1005, 1006],
      'sort=kid': [1001, 1002, 1003, 1004, 1005, 1006],
    };
    for (const [sort, ids] of Object.entries(orders)) {
      assert.deepEqual(await listIds(bankId, sort), ids, sort);
      assert.deepEqual(await listIds(bankId, `${sort}&direction=desc`), ids.toReversed(), sort);
    }
    assert.deepEqual(await listIds(bankId), orders['sort=name']);
  });

  test('pages follow one another without a gap, and say whether more follow', async () => {
    const bankId = await createBank(Array.from({ length: 7 }, () => ({ name: 'Same' })));
    for (const direction of ['asc', 'desc']) {
      const seen: number[] = [];
      for (let offset = 0; offset < 9; offset += 3) {
        const query = `limit=3&offset=${offset}&direction=${direction}`;
        const { items, nextCursor: _nextCursor, ...page } = await list(bankId, query);
        assert.deepEqual(page, { offset, limit: 3, hasMore: offset < 6 - 2 });
        seen.push(...items.map(({ kid }: { kid: string }) => Number(kid.split('-R')[1])));
      }
      assert.deepEqual(seen, await listIds(bankId, `direction=${direction}`));
      assert.equal(seen.length, 7);
    }
    assert.deepEqual(await listIds(bankId, 'offset=100000'), []);
  });

  test('[residents.06] an invalid query of a list is 400', async () => {
    const bankId = await createBank([]);
    const wrong = [
      'state=expired',
      'state=',
      'sort=email',
      'direction=up',
      'limit=0',
      'limit=201',
      'offset=-1',
      'offset=100001',
      `filter=${'x'.repeat(129)}`,
      'locationKid=sund-B1',
      `locationKid=fjord-B${bankId}-L1`,
      `locationKid=sund-B${bankId + 1}-L1`,
      'unknown=1',
    ];
    for (const query of wrong) {
      const { status, json } = await service.call('GET', `${usersPath(bankId)}?${query}`, manager);
      assert.equal(status, 400, query);
      assert.ok(['invalid-request', 'invalid-kid'].includes(json.code), json.code);
    }
  });
});
