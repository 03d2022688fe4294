// What the reference computer records reaches the service exactly once and in order, whatever becomes of its requests.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createSeededRandom } from '../../demo/random.ts';
import type { Computer } from '../../equipment-client/computer.ts';
import { waitUntil } from '../support/async.ts';
import { startEquipmentService, type EquipmentService, type Fault } from './support/equipment-service.ts';
import { createFolder, openTestComputer } from './support/test-computer.ts';

async function setUp(t: TestContext): Promise<{ service: EquipmentService; file: string }> {
  const service = await startEquipmentService();
  t.after(service.stop);
  return { service, file: join(createFolder(t), 'computer.sqlite') };
}

const refsOf = (service: EquipmentService, stream = 'money'): unknown[] =>
  (service.state.streams[stream]?.lines ?? []).map(({ ref }) => ref);

const requestsOf = (service: EquipmentService, stream: string) =>
  service.state.requests.filter((each) => each.stream === stream);
const countsOf = (service: EquipmentService, stream: string): number[] =>
  requestsOf(service, stream).map(({ count }) => count);

function recordUses(computer: Computer, from: number, count: number): string[] {
  const refs = Array.from({ length: count }, (_, index) => `A-${from + index}`);
  for (const ref of refs) computer.record({ t: 'use', unit: 'u', key: '04A21B33', amountMinor: '-100', ref });
  return refs;
}

const allSent = (computer: Computer): Promise<void> =>
  waitUntil('all lines are sent', () => computer.status().buffered === 0);

test('each line arrives once and in order, through answers that are cut, refused or late', async (t) => {
  const { service, file } = await setUp(t);
  const random = createSeededRandom('faults');
  const computer = openTestComputer({ file, service: service.url });
  t.after(computer.stop);
  await computer.enrol('code');
  const faults: readonly Fault[] = [
    'cut-before',
    'cut-after',
    { status: 503, retryAfter: '0' },
    { status: 429, retryAfter: '0' },
    { status: 500 },
  ];
  const refs: string[] = [];
  computer.start();
  for (let round = 0; round < 60; round += 1) {
    if (random.chance(0.6)) service.state.faults['money']?.push(random.pick(faults));
    refs.push(...recordUses(computer, refs.length, random.int(0, 6)));
    if (random.chance(0.3)) await allSent(computer);
  }
  await allSent(computer);
  assert.deepEqual(refsOf(service), refs);
  assert.equal(service.state.mostInFlight, 1, 'one request of a stream in flight');
});

test('a batch has at most 1,000 lines and 1 MiB', async (t) => {
  const { service } = await setUp(t);
  const computer = openTestComputer({ file: ':memory:', service: service.url });
  t.after(computer.stop);
  await computer.enrol('code');
  const text = 'x'.repeat(16_000);
  recordUses(computer, 0, 1500);
  for (let at = 0; at < 100; at += 1) computer.record({ t: 'samples', unit: 'u', values: { text } });
  computer.start();
  await allSent(computer);
  assert.deepEqual(countsOf(service, 'money'), [1000, 500]);
  // And one that confirms the snapshot.
  const [first = 0, second] = countsOf(service, 'samples');
  assert.ok(first * 16_000 <= 1_048_576 && (first + 2) * 16_100 > 1_048_576 - 4096, String(first));
  assert.equal(second, 101 - first);
  assert.throws(() => computer.record({ t: 'samples', text: 'x'.repeat(17_000) }), RangeError);
});

test('after 413 the batches become smaller', async (t) => {
  const { service } = await setUp(t);
  const computer = openTestComputer({ file: ':memory:', service: service.url });
  t.after(computer.stop);
  await computer.enrol('code');
  const refs = recordUses(computer, 0, 100);
  service.state.faults['money']?.push({ status: 413 });
  computer.start();
  await allSent(computer);
  assert.deepEqual(countsOf(service, 'money'), [100, 50, 50]);
  assert.deepEqual(refsOf(service), refs);
});

test('samples that cannot be sent do not delay money', async (t) => {
  const { service } = await setUp(t);
  const computer = openTestComputer({ file: ':memory:', service: service.url, random: () => 1 });
  t.after(computer.stop);
  await computer.enrol('code');
  service.state.faults['samples']?.push({ status: 503, retryAfter: '1000' });
  computer.record({ t: 'alive' });
  computer.start();
  await waitUntil('the samples are refused', () => computer.status().lastErrors.samples !== undefined);
  const refs = recordUses(computer, 0, 3);
  await waitUntil('the money has arrived', () => refsOf(service).length === 3);
  assert.deepEqual(refsOf(service), refs);
  assert.deepEqual(refsOf(service, 'samples'), []);
});

test('lines that the service has lost begin a new epoch', async (t) => {
  const { service, file } = await setUp(t);
  const computer = openTestComputer({ file, service: service.url });
  t.after(computer.stop);
  await computer.enrol('code');
  computer.start();
  recordUses(computer, 0, 5);
  await allSent(computer);
  const { money } = service.state.streams;
  assert.ok(money !== undefined);
  const before = money.epoch;
  // As after a restored backup.
  money.through = 2;
  const later = recordUses(computer, 5, 3);
  await allSent(computer);
  assert.notEqual(money.epoch, before);
  assert.equal(money.through, 3);
  assert.deepEqual(refsOf(service).slice(5), later);
});

test('a computer that has lost its memory begins a new epoch', async (t) => {
  const { service } = await setUp(t);
  const epochs: (string | undefined)[] = [];
  for (const from of [0, 5]) {
    const computer = openTestComputer({ file: ':memory:', service: service.url });
    await computer.enrol('code');
    recordUses(computer, from, 5);
    computer.start();
    await allSent(computer);
    await computer.stop();
    epochs.push(service.state.streams['money']?.epoch);
  }
  assert.equal(new Set(epochs).size, 2);
  assert.deepEqual(
    refsOf(service),
    Array.from({ length: 10 }, (_, at) => `A-${at}`),
  );
});

test('a memory that was set back loses no line that is new', async (t) => {
  const { service, file } = await setUp(t);
  const first = openTestComputer({ file, service: service.url });
  await first.enrol('code');
  recordUses(first, 0, 2);
  first.start();
  await allSent(first);
  await first.stop();
  copyFileSync(file, `${file}.old`);
  const second = openTestComputer({ file, service: service.url });
  recordUses(second, 2, 3);
  second.start();
  await allSent(second);
  await second.stop();
  const third = openTestComputer({ file: `${file}.old`, service: service.url });
  t.after(third.stop);
  recordUses(third, 5, 4);
  third.start();
  await allSent(third);
  assert.deepEqual(
    refsOf(service),
    Array.from({ length: 9 }, (_, at) => `A-${at}`),
  );
});

test('the next key is used after it was kept, and a lost answer changes nothing', async (t) => {
  const { service, file } = await setUp(t);
  const computer = openTestComputer({ file, service: service.url });
  t.after(computer.stop);
  await computer.enrol('code');
  service.state.faults['key']?.push('cut-after');
  assert.equal(await computer.rotateKey(), false);
  assert.equal(await computer.rotateKey(), true);
  service.state.keys.delete('ke_1');
  computer.start();
  recordUses(computer, 0, 1);
  await allSent(computer);
  assert.equal(refsOf(service).length, 1);
});

test('the header has the clock, how much is left, and the offset is known', async (t) => {
  const { service, file } = await setUp(t);
  const serverMs = Date.parse('2026-11-23T10:00:00Z');
  service.state.clockMs = () => serverMs;
  const computer = openTestComputer({ file, service: service.url, clock: () => serverMs + 90_000 });
  t.after(computer.stop);
  await computer.enrol('code');
  recordUses(computer, 0, 1001);
  computer.start();
  await allSent(computer);
  const [first, second] = requestsOf(service, 'money').map(({ header }) => header);
  assert.partialDeepStrictEqual(first, { first: 1, sentAt: '2026-11-23T10:01:30.000Z', software: '1.0' });
  assert.ok(Number(first?.buffered) >= 1);
  assert.equal(second?.first, 1001);
  assert.equal(computer.status().clockOffsetMs, 90_000);
});
