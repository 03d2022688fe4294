// GetBankBookings: who can read a list, and which part of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import { bookingListSuite, today, week } from '../support/booking-list-suite.ts';
import { bookingsPath, setSecondLocationDeleted, updateBookableUnit } from '../support/bookings.ts';
import { testNow } from '../support/times.ts';
import type { ManagerOptions } from '../support/factories.ts';

const needed = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'] as const;

bookingListSuite(({ service, manager, issueToken, fetchList, listSelectedNames }) => {
  test('[bookings.06] a KID of nothing selects nothing, and a KID that is not visible is treated the same', async () => {
    const narrow = await issueToken({ grants: [{ bankId: 1001, locationId: 1 }] });
    for (const query of [
      'locationKid=sund-B1001-L2',
      'locationKid=sund-B1001-L77',
      'unitKid=sund-B1001-L2-U1',
      'unitKid=sund-B1001-L1-U77',
      'userKid=sund-B1001-R4242',
    ])
      assert.equal(
        (await fetchList(`${week}&${query}`, narrow)).text,
        '{"items":[],"offset":0,"limit":50,"hasMore":false,"nextCursor":null}',
      );
  });

  test('[bookings.05] a location-limited grant sees only its bookings, by every filter and order', async () => {
    const second = await issueToken({ grants: [{ bankId: 1001, locationId: 2 }] });
    const both = await issueToken({
      grants: [1, 2].map((locationId) => ({ bankId: 1001, locationId })),
    });
    for (const query of ['', '&sort=unit', '&sort=user', '&filter=washer'])
      assert.deepEqual(await listSelectedNames(week + query, second), ['yesterday', 'gone'], query);
    assert.deepEqual(await listSelectedNames(week, both), await listSelectedNames(week));
    const bankWide = await issueToken({ grants: [{ bankId: 1001, locationId: 0 }] });
    assert.deepEqual(await listSelectedNames(week, bankWide), await listSelectedNames(week));
  });

  test('[bookings.01, bookings.05, auth.16] each missing right is 403; only the commands need Unit Write', async () => {
    const without: [detail: string, options: ManagerOptions][] = [
      ['The operation needs the Tab Bookings1.', { tabs: tabs.filter((tab) => tab !== 'Bookings1') }],
      ...needed.map((missing): [string, ManagerOptions] => [
        `The operation needs the permission ${missing}.`,
        { permissions: permissions.filter((each) => each !== missing) },
      ]),
    ];
    for (const [detail, options] of without) {
      const { status, json } = await fetchList('', await issueToken(options));
      assert.deepEqual([status, json.code, json.detail], [403, 'forbidden', detail]);
    }
    assert.equal((await service.call('GET', bookingsPath())).status, 401);
    const reader = await issueToken({
      tabs: ['Bookings1'],
      permissions: needed,
      grants: [{ bankId: 1001, locationId: 1 }],
    });
    const { status, json } = await fetchList(today, reader);
    assert.equal(status, 200);
    assert.ok(json.items.every(({ commands }: { commands: string[] }) => commands.length === 0));
  });

  test('[auth.40, bookings.05] a bank that is missing, deleted or not visible is 404, byte for byte the same', async () => {
    const elsewhere = await issueToken({ grants: [{ bankId: 1002, locationId: 0 }] });
    const replies = [
      await service.call('GET', bookingsPath('', 9999), manager),
      await service.call('GET', bookingsPath('', 1003), manager),
      await service.call('GET', bookingsPath('sort=user', 1003), manager),
      await fetchList('', elsewhere),
      await fetchList(week, elsewhere),
    ];
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
  });

  test('[auth.40] bookings of a deleted location are left out; those of a deleted unit stay, with its name and without commands', async () => {
    const location = (deletedAt: number | null) => setSecondLocationDeleted(service, deletedAt);
    const whole = await listSelectedNames(week);
    await location(testNow);
    await updateBookableUnit(service, { deleted_at: testNow }, 2);
    for (const query of ['', '&filter=washer'])
      assert.deepEqual(
        await listSelectedNames(week + query),
        whole.filter((name) => !['yesterday', 'gone'].includes(name)),
      );
    const { json } = await fetchList(`${week}&unitKid=sund-B1001-L1-U2`);
    assert.deepEqual(
      json.items.map(({ unitName, commands }: { unitName: string; commands: string[] }) => [unitName, commands.length]),
      [
        ['Washer 2', 0],
        ['Washer 2', 0],
      ],
    );
    await location(null);
    await updateBookableUnit(service, { deleted_at: null }, 2);
  });
});
