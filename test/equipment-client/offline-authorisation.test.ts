// Who may use a unit while the service cannot be reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideOffline } from '../../equipment-client/offline-authorisation.ts';
import { backoffMs, politePauseMs } from '../../equipment-client/attempts.ts';
import { waitUntil } from '../support/async.ts';
import { startEquipmentService } from './support/equipment-service.ts';
import { openTestComputer } from './support/test-computer.ts';

const nowMs = Date.parse('2026-11-23T10:00:00Z');
const entry = { residentKid: 'R1', units: ['u'], until: null };
const question = { policy: 'List', unit: 'u', entry, bookings: [], limitMinor: 500, spentMinor: 0, nowMs } as const;

test('the policy of the unit decides, with the list of keys', () => {
  const booking = { unit: 'u', residentKid: 'R2', from: '2026-11-23T09:00:00Z', to: '2026-11-23T11:00:00Z' };
  const cases = [
    [{}, 'listed'],
    [{ policy: 'Deny' }, 'offline'],
    [{ entry: undefined }, 'unknown-key'],
    [{ entry: { ...entry, units: ['v'] } }, 'not-permitted'],
    [{ entry: { ...entry, until: '2026-11-23T10:00:00Z' } }, 'expired'],
    [{ entry: { ...entry, until: '2026-11-23T10:00:01Z' } }, 'listed'],
    [{ bookings: [booking] }, 'booked'],
    [{ bookings: [{ ...booking, residentKid: 'R1' }] }, 'listed'],
    [{ bookings: [{ ...booking, unit: 'v' }] }, 'listed'],
    [{ bookings: [{ ...booking, to: '2026-11-23T10:00:00Z' }] }, 'listed'],
    [{ spentMinor: 500 }, 'listed'],
    [{ policy: 'ListWithLimit', spentMinor: 499 }, 'listed'],
    [{ policy: 'ListWithLimit', spentMinor: 500 }, 'offline-limit'],
    [{ policy: 'ListWithLimit', limitMinor: 0 }, 'offline-limit'],
  ] as const;
  for (const [change, reason] of cases) {
    const decision = decideOffline({ ...question, ...change });
    assert.deepEqual(decision, { allowed: reason === 'listed', reason });
  }
});

test('without an answer the computer decides, and counts what was used since the last contact', async (t) => {
  const service = await startEquipmentService();
  t.after(service.stop);
  const setting = { kind: 'setting', unit: 'u' };
  const things = [
    { ...setting, name: 'OfflineAuthorisation', value: 'ListWithLimit' },
    { ...setting, name: 'OfflineLimit', value: 500 },
    { kind: 'key', key: 'K', residentKid: 'R1', units: ['u', 'v'], until: null },
  ];
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
  for (const reason of ['listed', 'listed', 'offline-limit']) {
    assert.deepEqual(await computer.authorise('u', 'K'), {
      allowed: reason === 'listed',
      reason,
      isOffline: true,
    });
    computer.record({ t: 'use', unit: 'u', key: 'K', amountMinor: '-250' });
  }
  assert.deepEqual(await computer.authorise('v', 'K'), { allowed: false, reason: 'offline-limit', isOffline: true });
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
