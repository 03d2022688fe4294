// Checks the states of demo machines whose program runs, ends, starts or must not start.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitTypeCode } from '../../features/places/rules/unit-types.ts';
import { nextMachineStates, type MachineRow } from './machine-states.ts';
import { createSeededRandom, type Random } from '../random.ts';
import { minuteMs } from '../../lib/durations.ts';

const now = 800_000_000_000;

const machine = (change: Partial<MachineRow> = {}): MachineRow => ({
  bank_id: 1001,
  location_id: 2,
  unit_id: 3,
  unit_type: unitTypeCode('washer'),
  packed_type: null,
  reported_at: now - 10 * minuteMs,
  running: 'true',
  minutes_left: '30',
  cycles: '99',
  error: '0',
  out_of_order: null,
  ...change,
});
const always: Random = { ...createSeededRandom('runs'), chance: () => true };
const never: Random = { ...createSeededRandom('runs'), chance: () => false };

function told(change: Partial<MachineRow>, random: Random): Record<string, string | null> {
  const rows = nextMachineStates(machine(change), now, random);
  for (const { bank_id, location_id, unit_id, reported_at } of rows)
    assert.deepEqual([bank_id, location_id, unit_id, reported_at], [1001, 2, 3, now]);
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

test('a running program counts down by the minutes that passed', () => {
  assert.deepEqual(told({}, always), { ProgramRunning: 'true', RemainingTime: '20' });
  assert.deepEqual(told({ minutes_left: '11' }, always), { ProgramRunning: 'true', RemainingTime: '1' });
});

test('a program whose time is over ends and is counted', () => {
  for (const minutes_left of ['10', '3', null]) {
    const { ProgramRunning, RemainingTime, Phase, Program, SpinSpeed, CycleCount } = told({ minutes_left }, always);
    assert.deepEqual(
      [ProgramRunning, RemainingTime, Phase, Program, SpinSpeed, CycleCount],
      ['false', '0', 'Idle', null, '0', '100'],
    );
  }
  assert.ok(!('CycleCount' in told({ minutes_left: '1', cycles: null }, always)));
});

test('an idle machine starts sometimes, with a program and remaining time', () => {
  const idle = { running: 'false', minutes_left: '0' };
  const { ProgramRunning, RemainingTime, Phase, Program, Power, CycleCount } = told(idle, always);
  assert.deepEqual([ProgramRunning, CycleCount], ['true', undefined]);
  assert.ok(Number(RemainingTime) >= 4 && Phase !== 'Idle' && Program !== null && Number(Power) > 0.3);
  assert.deepEqual(told(idle, never), { ProgramRunning: 'false' });
});

test('a machine that has an error or is out of order does not start', () => {
  for (const why of [{ error: '31' }, { out_of_order: 'true' }])
    assert.deepEqual(told({ running: 'false', ...why }, always), { ProgramRunning: 'false' });
});
