// A computer that was away for thirty days: what it has kept and what has changed meanwhile are exchanged in some requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeDigests, type DesiredThing } from '../../src/features/desired-state/rules/desired-thing.ts';
import { verifyInflow } from '../../src/features/inflow/commands/verify-inflow.ts';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { applyThings, readDesired, readSnapshot, type Changes, type DeviceMemory } from '../support/desired.ts';
import { grantBank } from '../support/granted-banks.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { executeUserCommand } from '../support/resident-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, tagOf, type TestEquipment } from '../support/streams.ts';
import { dayMs, testNow } from '../support/times.ts';
import { callSetUnitSetting } from '../support/unit-settings.ts';

const days = 30;
const lineCount = 3000;
const linesPerRequest = 1000;
const settingChanges = 260;
const keyChanges = 24;

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  const isoAt = (ms2000: number): string => new Date(fromMs2000(ms2000)).toISOString();

  /** Returns how many records there are for devices. */
  async function changeMuch(equipment: TestEquipment): Promise<number> {
    for (let unit = 1; unit <= 2; unit += 1)
      for (let change = 0; change < settingChanges / 2; change += 1) {
        const { version = 0 } =
          (await service.read('sund', (db) =>
            db
              .selectFrom('unit_settings')
              .select('version')
              .where('bank_id', '=', equipment.bankId)
              .where('location_id', '=', 1)
              .where('unit_id', '=', unit)
              .executeTakeFirst(),
          )) ?? {};
        const { status, text } = await callSetUnitSetting(
          service,
          equipment.unit(`1-${unit}`),
          'MaxTemperature',
          change % 2 === 0 ? 40 : 60,
          { token: manager.token, expectedRevision: String(version) },
        );
        assert.equal(status, 200, text);
      }
    for (let change = 0; change < keyChanges; change += 1) {
      // Every third change removes the key that the one before has added.
      const isRemoval = change % 3 === 2;
      const value = `Tag:${equipment.bankId}${1000 + (isRemoval ? change - 1 : change)}`;
      const { status, text } = await executeUserCommand(
        service,
        1002,
        { command: isRemoval ? 'RemoveKey' : 'AddKey', value, expectedRevision: String(change + 1) },
        { bankId: equipment.bankId, token: manager.token },
      );
      assert.equal(status, 200, text);
    }
    return settingChanges + keyChanges;
  }

  test('everything arrives once with its own time, and the lists are those of the service', async () => {
    const equipment = await createEquipment(suite);
    const memory: DeviceMemory = new Map();
    const snapshot = await readSnapshot(service, equipment.key);
    applyThings(memory, snapshot.things);
    const leftAt = clock.now;
    clock.now += (days * dayMs) / 2;
    const head = await changeMuch(equipment);
    clock.now = leftAt + days * dayMs;
    const timeOf = (index: number): string => isoAt(leftAt + Math.floor((index * days * dayMs) / lineCount));
    const indexes = Array.from({ length: lineCount }, (_, index) => index);
    const money = indexes.map((index) =>
      equipment.use({
        at: timeOf(index),
        ref: `A-${index}`,
        key: index % 100 === 0 ? 'DEADBEEF' : tagOf(equipment.bankId),
      }),
    );
    const unit = equipment.unit('1-1');
    const samples = indexes.map((index) => ({ t: 'state', unit, at: timeOf(index), name: 'CycleCount', value: index }));
    for (let from = 0; from < lineCount; from += linesPerRequest)
      for (const [stream, lines] of [
        ['money', money],
        ['samples', samples],
      ] as const) {
        const header = { first: from + 1, buffered: lineCount - from };
        const { status, json } = await equipment.send(stream, lines.slice(from, from + linesPerRequest), header);
        assert.deepEqual([status, json.through, json.desired.pending], [200, from + linesPerRequest, true]);
      }
    const { status, json } = await readDesired(service, equipment.key, snapshot.version);
    const { version, more, changes } = json as Changes;
    assert.deepEqual([status, version, more], [200, head, false]);
    applyThings(memory, changes);
    const digests = computeDigests([...memory.values()] as unknown as DesiredThing[], clock.now);
    const applied = changes.map(({ v }) => ({ t: 'applied', at: isoAt(clock.now), v, ok: true }));
    const answer = await equipment.send('samples', applied, { first: lineCount + 1, buffered: 0, digests });
    assert.deepEqual([answer.status, answer.json.held, answer.json.resync], [200, [], undefined]);

    const postings = await equipment.postings();
    assert.equal(postings.length, lineCount - lineCount / 100);
    assert.equal(Math.min(...postings.map(({ recorded_at }) => recorded_at)), leftAt + (days * dayMs) / lineCount);
    const states = await service.read('sund', (db) =>
      db.selectFrom('device_sync').select('state').where('bank_id', '=', equipment.bankId).distinct().execute(),
    );
    assert.deepEqual(states.map(({ state }) => state).toSorted(), ['acknowledged', 'superseded']);
    const { differences } = await service.read('sund', (db) => verifyInflow(db, grantBank(equipment.bankId)));
    assert.deepEqual([differences, await verifyBankLedger(service, equipment.bankId)], [[], []]);
  });
});
