// A reference computer lets its device know what the service says, and confirms only what the device has done.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ComputerOptions } from '../../equipment-client/computer.ts';
import { countsForDigest, digestOf, formatEntry } from '../../equipment-client/digests.ts';
import type { Change } from '../../equipment-client/entries.ts';
import { waitUntil } from '../support/async.ts';
import { startEquipmentService } from './support/equipment-service.ts';
import { createFolder, openTestComputer } from './support/test-computer.ts';

const setting = { kind: 'setting', unit: 'u', name: 'MaxTemperature', value: 60 };
const key = { kind: 'key', key: '04A21B33', residentKid: 'R1', units: ['u'], until: null };

async function setUp(t: TestContext, options: Partial<ComputerOptions> = {}) {
  const service = await startEquipmentService();
  t.after(service.stop);
  service.state.snapshot = { things: [setting, key], version: 10 };
  const told: Change[] = [];
  const device = {
    apply: (change: Change) => {
      told.push(change);
      return { ok: true } as const;
    },
  };
  const file = join(createFolder(t), 'computer.sqlite');
  const open = () => openTestComputer({ file, service: service.url, device, ...options });
  const computer = open();
  await computer.enrol('code');
  /** What it has said of changes and commands. */
  const said = (): object[] =>
    (service.state.streams['samples']?.lines ?? []).map(({ n: _n, at: _at, ...line }) => line);
  return { service, computer, told, said, open };
}

test('the snapshot is applied and confirmed, then each change', async (t) => {
  const { service, computer, told, said } = await setUp(t);
  t.after(computer.stop);
  computer.start();
  await waitUntil('the snapshot is confirmed', () => said().length === 1);
  assert.deepEqual(said(), [{ t: 'applied', snapshot: 10, ok: true }]);
  assert.deepEqual(told, [setting, key]);
  service.state.changes = [
    { v: 11, ...setting, value: 40 },
    { v: 12, kind: 'key', key: key.key, removed: true },
  ];
  await waitUntil('the changes are confirmed', () => said().length === 3);
  assert.deepEqual(said().slice(1), [
    { t: 'applied', v: 11, ok: true },
    { t: 'applied', v: 12, ok: true },
  ]);
  assert.deepEqual(computer.entries('setting'), [{ ...setting, value: 40 }]);
  assert.deepEqual(computer.entries('key'), []);
});

test('what the device refuses, or fails at, is reported with its code', async (t) => {
  const { service, computer, said } = await setUp(t, {
    device: {
      apply: (change: Change) => {
        if (change['value'] === 41) throw new RangeError('too hot');
        return change['value'] === 40 ? { ok: false, code: 'E12' } : { ok: true };
      },
    },
  });
  t.after(computer.stop);
  service.state.changes = [
    { v: 11, ...setting, value: 40 },
    { v: 12, ...setting, name: 'Other', value: 41 },
  ];
  computer.start();
  await waitUntil('the changes are answered', () => said().length === 3);
  assert.deepEqual(said().slice(1), [
    { t: 'applied', v: 11, ok: false, code: 'E12' },
    { t: 'applied', v: 12, ok: false, code: 'RangeError' },
  ]);
  assert.deepEqual(computer.entries('setting'), [setting], 'the list has what the device has');
});

test('after 410 only what differs is applied, and what is gone is removed', async (t) => {
  const { service, computer, told } = await setUp(t);
  t.after(computer.stop);
  computer.start();
  await waitUntil('the snapshot is applied', () => computer.status().version === '10');
  told.length = 0;
  service.state.snapshot = { things: [{ ...setting, value: 30 }], version: 500 };
  service.state.oldest = 500;
  await waitUntil('the next snapshot is applied', () => computer.status().version === '500');
  assert.deepEqual(told, [
    { ...key, removed: true },
    { ...setting, value: 30 },
  ]);
});

test('lists whose digests differ are read again, and then are those of the service', async (t) => {
  const { service, computer } = await setUp(t);
  t.after(computer.stop);
  computer.start();
  await waitUntil('the snapshot is applied', () => computer.status().version === '10');
  service.state.snapshot = { things: [key, { ...setting, value: 99 }], version: 10 };
  service.state.resync = ['settings'];
  computer.record({ t: 'alive' });
  await waitUntil('the list is read again', () => computer.entries('setting')[0]?.['value'] === 99);
  service.state.resync = [];
  computer.record({ t: 'alive' });
  await waitUntil('all is sent', () => computer.status().buffered === 0);
  const { digests } = service.state.requests.at(-1)?.header ?? {};
  assert.equal(digests?.['settings'], digestOf([formatEntry({ ...setting, value: 99 })]));
  assert.equal(digests['keys'], digestOf([formatEntry(key)]));
});

test('a command is carried out once, and its result reported, also after a restart', async (t) => {
  const { service, computer, told, said, open } = await setUp(t);
  const command = { kind: 'command', unit: 'u', name: 'Unlock' };
  const later = new Date(Date.now() + 60_000).toISOString();
  service.state.changes = [
    { v: 11, ...command, id: 'C55', expiresAt: later },
    { v: 12, ...command, id: 'C56', expiresAt: '2020-01-01T00:00:00Z' },
  ];
  computer.start();
  await waitUntil('the results are sent', () => said().length === 5);
  assert.deepEqual(
    said().filter((line) => 'command' in line),
    [
      { t: 'result', unit: 'u', command: 'C55', ok: true },
      { t: 'result', unit: 'u', command: 'C56', ok: false, code: 'expired' },
    ],
  );
  await computer.stop();
  // As if the power had been lost before the changes were confirmed.
  service.state.changes = service.state.changes.map((change) => ({ ...change, v: change.v + 10 }));
  const again = open();
  t.after(again.stop);
  again.start();
  await waitUntil('the changes are confirmed', () => said().length === 7);
  assert.equal(told.filter(({ kind }) => kind === 'command').length, 1);
});

test('a command that a loss of power interrupted is reported, and not carried out again', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const device = {
    apply: async ({ kind }: Change) => {
      if (kind !== 'command') return { ok: true } as const;
      begun += 1;
      await promise;
      return { ok: true } as const;
    },
  };
  const { service, computer, said, open } = await setUp(t, { device });
  service.state.changes = [{ v: 11, kind: 'command', id: 'C55', unit: 'u', name: 'Unlock', expiresAt: '2999-01-01' }];
  computer.start();
  await waitUntil('the command is begun', () => begun === 1);
  const again = open();
  t.after(again.stop);
  again.start();
  await waitUntil('the result is sent', () => said().some((line) => 'command' in line));
  assert.deepEqual(
    said().filter((line) => 'command' in line),
    [{ t: 'result', unit: 'u', command: 'C55', ok: false, code: 'interrupted' }],
  );
  assert.equal(begun, 1);
  resolve();
  await computer.stop();
});

test('a digest is the sum of the hashes of entries, whatever their order and version', () => {
  const entries = [setting, { ...setting, name: 'Other', value: { b: 1, a: [2, null] } }];
  const texts = [
    '{"kind":"setting","name":"MaxTemperature","unit":"u","value":60}',
    '{"kind":"setting","name":"Other","unit":"u","value":{"a":[2,null],"b":1}}',
  ];
  assert.deepEqual(
    entries.map((entry) => formatEntry({ ...entry, v: 7, revision: '3' })),
    texts,
  );
  const sum = texts
    .map((text) => BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 16)}`))
    .reduce((a, b) => (a + b) % 2n ** 64n);
  assert.equal(digestOf(texts), sum.toString(16).padStart(16, '0'));
  assert.equal(digestOf(texts.toReversed()), digestOf(texts));
  assert.equal(digestOf([]), '0000000000000000');
  const booking = JSON.stringify({ state: 'Booked', to: '2026-11-23T12:00:00Z' });
  assert.equal(countsForDigest(booking, Date.parse('2026-11-23T11:59:59Z')), true);
  assert.equal(countsForDigest(booking, Date.parse('2026-11-23T12:00:00Z')), false);
});

test('a snapshot of which the device has refused something is not confirmed', async (t) => {
  const { service, computer, said } = await setUp(t, {
    device: { apply: ({ kind }: Change) => (kind === 'key' ? { ok: false, code: 'E7' } : { ok: true }) },
  });
  t.after(computer.stop);
  service.state.changes = [{ v: 11, ...setting, value: 40 }];
  computer.start();
  await waitUntil('the change is confirmed', () => said().length === 1);
  assert.deepEqual(said(), [{ t: 'applied', v: 11, ok: true }]);
  assert.deepEqual(computer.entries('key'), []);
});
