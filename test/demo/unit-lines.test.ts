// What devices of the demo report of their counters and documents, and what residents do with them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDocumentPlan } from '../../demo/documents/document-plan.ts';
import { createSeededRandom, type Random } from '../../demo/random.ts';
import { advanceCounters } from '../../demo/simulator/counter-reports.ts';
import type { Device, DeviceState } from '../../demo/simulator/devices.ts';
import { beginRun, createDocumentReport } from '../../demo/simulator/document-reports.ts';
import { pay, reportDevice, useUnit } from '../../demo/simulator/unit-lines.ts';
import { dayMs, hourMs, minuteMs } from '../../src/lib/time/durations.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';

const now = 800_000_000_000;
const timeZone = 'Europe/Copenhagen';

const createDevice = (change: Partial<Device> = {}): Device => ({
  bankId: 1001,
  locationId: 1,
  unitId: 2,
  kid: 'sund-B1001-L1-U2',
  type: 'washer',
  isEnabled: true,
  states: new Map(),
  document: { documentId: 5000, from: now - dayMs },
  syncedAt: now - hourMs,
  ...change,
});
const statesOf = (values: Readonly<Record<string, string | null>>, reportedAt = now - 2 * hourMs) =>
  new Map(Object.entries(values).map(([name, value]): [string, DeviceState] => [name, { value, reportedAt }]));
const random = (): Random => createSeededRandom('reports');

test('counters grow with the time that passed', () => {
  const states = statesOf({
    AccessCount: '1200',
    EnergyReading: '1200.042',
    Uptime: '1200',
    VolumeReading: '1200.042',
  });
  const values = Object.fromEntries(advanceCounters(createDevice({ states }), now, random()));
  const { AccessCount = '', EnergyReading = '', VolumeReading = '' } = values;
  assert.ok(Number(AccessCount) >= 1202 && Number(AccessCount) <= 1225, AccessCount);
  assert.ok(Number(EnergyReading) >= 1200.242 && Number(EnergyReading) <= 1201.843, EnergyReading);
  assert.equal(values['Uptime'], '1202');
  assert.ok(Number(VolumeReading) >= 1200.05 && Number(VolumeReading) <= 1200.143, VolumeReading);
  for (const [name, value] of Object.entries(values))
    assert.match(value, name.endsWith('Reading') ? /^\d+\.\d{3}$/ : /^\d+$/);
});

test('other states, and counters that are no numbers, stay unchanged', () => {
  const states = statesOf({ EnergyReading: null, Temperature: '21.5', TripCount: 'many' });
  assert.deepEqual(advanceCounters(createDevice({ states }), now, random()), []);
});

test('a document continues up to now, ends, and after a pause the next one begins', () => {
  const from = now - 10 * minuteMs;
  const device = createDevice({ document: { documentId: 5000, from }, syncedAt: from - 1 });
  const plan = createDocumentPlan({ type: 'washer', from, document: { ...device, documentId: 5000 }, monthEnd: 0 });
  const endAt = plan?.cycles.at(-1)?.at ?? 0;
  const cycles: (readonly [documentId: number, value: string])[] = [];
  for (let at = now; at < now + 3 * dayMs; at += 10 * minuteMs) {
    const report = createDocumentReport(device, { timeZone, now: at, mayBegin: true });
    if (report !== undefined) {
      device.document = report.document;
      cycles.push(...report.cycles.map(({ value }) => [report.document.documentId, value] as const));
      for (const { at: time } of [...report.samples, ...report.cycles]) assert.ok(time > device.syncedAt && time <= at);
    }
    device.syncedAt = at;
  }
  assert.ok(endAt > now);
  assert.deepEqual(
    cycles.filter(([documentId]) => documentId === 5000).map(([, value]) => value),
    plan?.cycles.map(({ value }) => value),
  );
  const ended = cycles.filter(([, value]) => value === 'End').map(([documentId]) => documentId);
  assert.ok(ended.length >= 3);
  assert.deepEqual(
    ended,
    ended.map((_, at) => 5000 + at),
  );
});

test('a machine that has an error or is out of order begins nothing', () => {
  const context = { timeZone, now, random: random() };
  const outOfOrder = { unit: 'sund-B1001-L1-U2', name: 'OutOfOrder', value: true };
  const cyclesOf = (device: Device, settings: (typeof outOfOrder)[] = []) =>
    reportDevice(device, settings, context).filter(({ t }) => t === 'cycle');
  assert.ok(cyclesOf(createDevice()).length > 0);
  assert.deepEqual(cyclesOf(createDevice(), [outOfOrder]), []);
  assert.deepEqual(cyclesOf(createDevice({ states: statesOf({ ErrorId: '31' }) })), []);
});

test('a report ends with the time up to which everything was sent, and repeats nothing', () => {
  const device = createDevice({ states: statesOf({ Uptime: '5' }) });
  const context = { timeZone, now, random: random() };
  const lines = reportDevice(device, [], context);
  const ofDevice = { unit: device.kid, at: formatUtc(now) };
  assert.deepEqual(lines.at(0), { t: 'samples', ...ofDevice, values: { Uptime: 7 } });
  assert.deepEqual(lines.at(-1), { t: 'synced', ...ofDevice });
  assert.deepEqual(
    reportDevice(device, [], context).map(({ t }) => t),
    ['synced'],
  );
  assert.deepEqual(reportDevice(createDevice({ isEnabled: false }), [], context), [{ t: 'alive', ...ofDevice }]);
  assert.deepEqual(reportDevice(createDevice({ document: undefined }), [], context), [{ t: 'alive', ...ofDevice }]);
});

test('a use begins the next run of a machine, unless it runs', () => {
  const idle = createDevice();
  const activity = {
    timeZone,
    now,
    random: random(),
    currency: 'DKK',
    settings: [],
    keys: [{ key: 'K1', units: [idle.kid] }],
  };
  const [use, ...run] = useUnit([idle], activity);
  assert.partialDeepStrictEqual(use, { t: 'use', unit: idle.kid, key: 'K1', currency: 'DKK', document: '5001' });
  assert.ok(Number(use?.['amountMinor']) < 0);
  assert.ok(run.some(({ t, document }) => t === 'cycle' && document === '5001'));
  const running = { ...idle, syncedAt: now };
  assert.equal(beginRun(running, { timeZone, now: now + minuteMs }), undefined);
  const [second, ...rest] = useUnit([running], { ...activity, now: now + minuteMs });
  assert.partialDeepStrictEqual(second, { t: 'use', document: '5001' });
  assert.deepEqual(rest, []);
  assert.notEqual(second?.['ref'], use?.['ref']);
});

test('nobody uses a unit that is free of charge, disabled or out of order, or pays without a key', () => {
  const activity = { timeZone, now, random: random(), currency: 'DKK', settings: [], keys: [{ key: 'K1', units: [] }] };
  assert.deepEqual(useUnit([createDevice({ type: 'door' }), createDevice({ isEnabled: false })], activity), []);
  assert.deepEqual(useUnit([createDevice({ states: statesOf({ ErrorId: '31' }) })], activity), []);
  assert.deepEqual(useUnit([createDevice()], { ...activity, keys: [] }), []);
  assert.deepEqual(pay({ ...activity, keys: [] }), []);
  const [payment] = pay(activity);
  assert.partialDeepStrictEqual(payment, { t: 'pay', key: 'K1', currency: 'DKK' });
  assert.ok(Number(payment?.['amountMinor']) > 0);
});
