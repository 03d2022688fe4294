// GetBankBookings: how the list is narrowed, sorted and paged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingListSuite, week } from '../support/booking-list-suite.ts';

bookingListSuite(({ service, manager, issueToken, fetchList, listSelectedNames }) => {
  test('[bookings.06] locationKid, unitKid, userKid and state narrow the list, each and combined', async () => {
    const narrowed: [query: string, found: string[]][] = [
      ['locationKid=sund-B1001-L2', ['yesterday', 'gone']],
      ['unitKid=sund-B1001-L1-U2', ['ahead', 'tomorrow']],
      ['locationKid=sund-B1001-L1&unitKid=sund-B1001-L1-U2', ['ahead', 'tomorrow']],
      ['locationKid=sund-B1001-L2&unitKid=sund-B1001-L1-U2', []],
      ['userKid=sund-B1001-R1004', ['ahead']],
      ['userKid=sund-B1001-R1000', ['guest']],
      ['userKid=sund-B1001-R1001&unitKid=sund-B1001-L1-U2', ['tomorrow']],
      ['state=Completed', ['yesterday', 'over']],
      ['state=Booked', ['running', 'ahead', 'night', 'tomorrow', 'expired', 'guest', 'erased']],
      ['state=Cancelled', ['gone']],
      ['state=Cancelled&userKid=sund-B1001-R1002', []],
    ];
    for (const [query, found] of narrowed) {
      assert.deepEqual(await listSelectedNames(`${week}&${query}`), found, query);
      assert.deepEqual(await listSelectedNames(`${week}&sort=start&filter=%20&${query}`), found, `${query}, by names`);
    }
    assert.deepEqual(await listSelectedNames(`${week}&state=all`), await listSelectedNames(week));
  });

  test('[bookings.06] KIDs of another bank, tenant or kind, unknown states and unknown names are 400', async () => {
    for (const query of [
      'locationKid=sund-B1002-L1',
      'unitKid=sund-B1002-L1-U1',
      'userKid=sund-B1002-R1001',
      'locationKid=fjord-B1001-L1',
      'locationKid=sund-B1001-L1-U1',
      'unitKid=sund-B1001-L1',
      'userKid=sund-M1001',
      'userKid=sund-B1001-R01001',
    ]) {
      const { status, json } = await fetchList(query);
      assert.deepEqual([status, json.code], [400, 'invalid-kid'], query);
    }
    for (const query of [
      'state=booked',
      'state=Restored',
      'sort=name',
      'direction=up',
      'limit=0',
      'limit=201',
      'offset=-1',
      'offset=100001',
      `filter=${'x'.repeat(129)}`,
      'page=2',
      'state=all&STATE=all',
    ]) {
      const { status, json } = await fetchList(query);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
    }
    for (const path of ['sund-B01001', 'fjord-B1001', 'sund-B1001-L1', 'B1001']) {
      const { status, json } = await service.call('GET', `/api/v1/banks/${path}/bookings`, manager);
      assert.deepEqual([status, json.code], [400, 'invalid-kid'], path);
    }
  });

  test('[bookings.06] filter finds literal text in names as they are shown, whatever its case', async () => {
    const found: [filter: string, names: string[]][] = [
      ['WASHER 2', ['ahead', 'tomorrow']],
      ['location 2', ['yesterday', 'gone']],
      ['another', ['ahead']],
      ['resident 1002', ['running']],
      ['resident 1003', []],
      ['{washer}', []],
      ['%', []],
      ['_', []],
      ['vaskemaskine', []],
    ];
    for (const [filter, names] of found)
      assert.deepEqual(await listSelectedNames(`${week}&filter=${encodeURIComponent(filter)}`), names, filter);
    const { json } = await fetchList(`${week}&filter=vaskemaskine%202`, manager.token, { 'accept-language': 'da' });
    assert.equal(json.items.length, 2);
  });

  test('[bookings.05] the list is sorted by start, unit or user, either way, ties by start and then in the order of booking', async () => {
    const byStart = [
      'yesterday',
      'over',
      'running',
      'ahead',
      'gone',
      'night',
      'tomorrow',
      'expired',
      'guest',
      'erased',
    ];
    assert.deepEqual(await listSelectedNames(week), byStart);
    assert.deepEqual(await listSelectedNames(`${week}&sort=start&direction=asc`), byStart);
    assert.deepEqual(await listSelectedNames(`${week}&direction=desc`), byStart.toReversed());
    assert.deepEqual(await listSelectedNames(`${week}&direction=desc&filter=%20`), byStart.toReversed());
    const first = byStart.filter((name) => !['ahead', 'tomorrow'].includes(name));
    assert.deepEqual(await listSelectedNames(`${week}&sort=unit`), [...first, 'ahead', 'tomorrow']);
    assert.deepEqual(await listSelectedNames(`${week}&sort=unit&direction=desc`), ['ahead', 'tomorrow', ...first]);
    const unnamed = ['expired', 'guest', 'erased'];
    const named = ['ahead', 'yesterday', 'over', 'gone', 'night', 'tomorrow', 'running'];
    assert.deepEqual(await listSelectedNames(`${week}&sort=user`), [...unnamed, ...named]);
  });

  test('[bookings.05] the pages together are the list, in every order', async () => {
    const both = await issueToken({ grants: [1, 2].map((locationId) => ({ bankId: 1001, locationId })) });
    const orders = [
      'sort=start',
      'sort=start&direction=desc',
      'sort=unit&direction=desc',
      'sort=user',
      'filter=washer',
    ];
    for (const [order, as] of orders.flatMap((each) => [manager.token, both].map((token) => [each, token] as const))) {
      const whole = await listSelectedNames(`${week}&${order}`);
      const pages: string[] = [];
      for (let offset = 0; ; offset += 3) {
        const query = `${week}&${order}&offset=${offset}&limit=3`;
        const { json } = await fetchList(query, as);
        pages.push(...(await listSelectedNames(query, as)));
        assert.equal(json.hasMore, offset + 3 < whole.length);
        if (json.hasMore === false) break;
      }
      assert.deepEqual(pages, whole, order);
    }
    assert.deepEqual(await listSelectedNames(`${week}&offset=100000`), []);
  });
});
