// Who may use a unit while the service cannot be reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideOffline, offlinePolicies } from '../../equipment-client/offline-authorisation.ts';
import { backoffMs, politePauseMs } from '../../equipment-client/attempts.ts';
import { waitUntil } from '../support/async.ts';
import { startEquipmentService } from './support/equipment-service.ts';
import { openTestComputer } from './support/test-computer.ts';

const nowMs = Date.parse('2026-11-23T10:00:00Z');
const entry = { units: ['u'], offlineLimitMinor: '500', until: null };
const question = { policy: 'list', unit: 'u', key: 'K', entry, bookings: [], spentMinor: 0, nowMs } as const;

test('the policy of the unit decides, with the list of keys', () => {
  const booking = { unit: 'u', key: 'K2', from: '2026-11-23T09:00:00Z', to: '2026-11-23T11:00:00Z' };
  const cases = [
    [{}, 'list'],
    [{ policy: 'deny' }, 'offline'],
    [{ entry: undefined }, 'unknown-key'],
    [{ entry: { ...entry, units: ['v'] } }, 'not-permitted'],
    [{ entry: { ...entry, until: '2026-11-23T10:00:00Z' } }, 'expired'],
    [{ entry: { ...entry, until: '2026-11-23T10:00:01Z' } }, 'list'],
    [{ bookings: [booking] }, 'booked'],
    [{ bookings: [{ ...booking, key: 'K' }] }, 'list'],
    [{ bookings: [{ ...booking, unit: 'v' }] }, 'list'],
    [{ bookings: [{ ...booking, to: '2026-11-23T10:00:00Z' }] }, 'list'],
    [{ spentMinor: 500 }, 'list'],
    [{ policy: 'list-with-limit', spentMinor: 499 }, 'list-with-limit'],
    [{ policy: 'list-with-limit', spentMinor: 500 }, 'offline-limit'],
    [{ policy: 'list-with-limit', entry: { units: ['u'] } }, 'offline-limit'],
  ] as const;
  for (const [change, reason] of cases) {
    const decision = decideOffline({ ...question, ...change });
    assert.deepEqual(decision, { allowed: offlinePolicies.some((policy) => policy === reason), reason });
  }
});

test('without an answer the computer decides, and counts what was used since the last contact', async (t) => {
  const service = await startEquipmentService();
  t.after(service.stop);
  const policy = { kind: 'setting', unit: 'u', name: 'OfflineAuthorisation', value: 'list-with-limit' };
  const things = [policy, { kind: 'key', key: 'K', units: ['u', 'v'], offlineLimitMinor: '500' }];
  service.state.snapshot = { things, version: 1 };
  const computer = openTestComputer({ file: ':memory:', service: service.url });
  t.after(computer.stop);
  await computer.enrol('code');
  computer.start();
  await waitUntil('the snapshot is applied', () => computer.status().version === '1');
  service.state.authorised = { allowed: false, reason: 'no-credit' };
  assert.deepEqual(await computer.authorise('u', 'K'), { allowed: false, reason: 'no-credit', isOffline: false });
  service.state.authorised = undefined;
  service.state.faults['money']?.push({ status: 503, retryAfter: '1000' });
  for (const reason of ['list-with-limit', 'list-with-limit', 'offline-limit']) {
    assert.deepEqual(await computer.authorise('u', 'K'), {
      allowed: reason === 'list-with-limit',
      reason,
      isOffline: true,
    });
    computer.record({ t: 'use', unit: 'u', key: 'K', amountMinor: '-250' });
  }
  assert.deepEqual(await computer.authorise('v', 'K'), { allowed: false, reason: 'offline', isOffline: true });
});

test('pauses grow to a minute with full jitter, and Retry-After is kept with some more', () => {
  assert.deepEqual(
    [1, 2, 3, 10, 1000].map((failures) => backoffMs(failures, 1)),
    [2000, 4000, 8000, 60_000, 60_000],
  );
  assert.equal(backoffMs(5, 0), 0);
  assert.equal(politePauseMs(10_000, 0), 10_000);
  assert.equal(politePauseMs(10_000, 1), 12_500);
});
