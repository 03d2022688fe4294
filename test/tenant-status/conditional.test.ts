// Conditional requests of GetTenantStatus, by which monitors poll: the time of the look alone is nothing new.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, minuteMs, testNow } from '../support/times.ts';
import { deletePlaces, insertBankOfUnits, settingRow, statusPath } from './support/status-units.ts';

serviceSuite({ now: testNow }, ({ service, manager, clock }) => {
  before(() =>
    service.write('sund', async (db) => {
      await deletePlaces(db);
      await insertBankOfUnits(db, 1001, { 1: [{ last_contact_at: testNow - 2 * dayMs }] });
    }),
  );

  const get = (held?: string) =>
    service.call('GET', statusPath, { ...manager, headers: held === undefined ? {} : { 'if-none-match': held } });

  test('[status.04] a poll is 304 as long as nothing but the time has changed, and 200 when something has', async () => {
    const first = await get();
    assert.equal(first.status, 200);
    const etag = first.headers['etag'] ?? '';
    assert.match(etag, /^W\/"/, 'the bytes differ in the time');
    clock.now += minuteMs;
    const second = await get();
    assert.notEqual(second.json.measuredAtUtc, first.json.measuredAtUtc);
    assert.equal(second.headers['etag'], etag);
    const poll = await get(etag);
    assert.deepEqual([poll.status, poll.text, poll.headers['etag']], [304, '', etag]);
    const unit = { bankId: 1001, locationId: 1, unitId: 1 };
    await service.write('sund', (db) =>
      db
        .insertInto('unit_settings')
        .values(settingRow(unit, ['AutoOutOfOrder', '5', testNow]))
        .execute(),
    );
    const changed = await get(etag);
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers['etag'], etag);
  });
});
