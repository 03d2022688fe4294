// Who counts as an active user.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { activeUsersPath, measure, post } from './support/statistics.ts';

const lookbackMs = 100 * dayMs;

serviceSuite({ now: testNow, manager: false }, ({ service, clock }) => {
  before(() =>
    service.write('sund', async (db) => {
      for (const bankId of [999, 1000, 1001, 1002]) {
        await insertTestBank(db, { bankId });
        for (const residentId of [1000, 1001, 1002, 99_999, 100_000])
          await insertTestResident(db, residentId, { bankId });
      }
    }),
  );

  let turns = 0;
  /** A time of its own for each test, so that nobody is active any more who was in another. */
  const startTurn = (): number => (clock.now = testNow + (turns += 1) * 2 * lookbackMs);
  const countUsers = async (): Promise<number> => (await measure(service, activeUsersPath)).json.count;

  test('[public.01, public.12] anyone gets the number of active users of 100 days', async () => {
    assert.deepEqual((await measure(service, activeUsersPath)).json, {
      tenantKid: 'sund',
      count: 0,
      lookbackDays: 100,
      sinceUtc: '2026-03-07T09:30:00.000Z',
      measuredAtUtc: '2026-06-15T09:30:00.000Z',
    });
  });

  test('[public.13] a user counts once in each bank with an id of at least 1000', async () => {
    const recordedAt = startTurn();
    await post(service, 1001, [{ recordedAt }, { recordedAt: recordedAt - 1 }]);
    assert.equal(await countUsers(), 1);
    await post(service, 1002, [{ recordedAt }]);
    assert.equal(await countUsers(), 2);
    await post(service, 999, [{ recordedAt }]);
    assert.equal(await countUsers(), 2);
    await post(service, 1000, [{ recordedAt }]);
    assert.equal(await countUsers(), 3);
  });

  test('[public.13] user ids from 1001 to 99999 are those of residents', async () => {
    const recordedAt = startTurn();
    for (const [residentId, counted] of [
      [1000, 0],
      [100_000, 0],
      [0, 0],
      [99_999, 1],
      [1001, 2],
    ] as const) {
      await post(service, 1001, [{ recordedAt, residentId }]);
      assert.equal(await countUsers(), counted, String(residentId));
    }
  });

  test('[public.14] activity counts only if it is newer than 100 days', async () => {
    const recordedAt = startTurn();
    await post(service, 1001, [{ recordedAt: recordedAt - lookbackMs, residentId: 1001 }]);
    assert.equal(await countUsers(), 0);
    await post(service, 1001, [{ recordedAt: recordedAt - lookbackMs + 1, residentId: 1002 }]);
    assert.equal(await countUsers(), 1);
    // A posting may come in days after its event.
    await post(service, 1001, [{ recordedAt: recordedAt - lookbackMs - 1, residentId: 1002 }]);
    assert.equal(await countUsers(), 1);
    clock.now += 1;
    assert.equal(await countUsers(), 0);
  });

  test('[public.15] disabled and deleted residents count, whatever the entry is', async () => {
    const recordedAt = startTurn();
    await service.write('sund', async (db) => {
      const change = db.updateTable('residents').where('bank_id', '=', 1001);
      await change.set({ enabled: 0 }).where('resident_id', '=', 1001).execute();
      await change.set({ deleted_at: 1 }).where('resident_id', '=', 1002).execute();
    });
    await post(service, 1001, [
      { recordedAt, residentId: 1001, amountMinor: 500n, kind: 'Payment' },
      { recordedAt, residentId: 1002, amountMinor: 0n },
    ]);
    assert.equal(await countUsers(), 2);
  });
});
