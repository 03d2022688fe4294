// Writes of one setting that come together, from two replicas: who knows the same revision writes once, and nothing of
// what was answered is lost.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank } from '../support/factories.ts';
import { runInParallel, countOutcomes } from '../support/replicas.ts';
import { unitIds, fetchUnitValue, callSetUnitSetting, readSettingTrace } from '../support/unit-settings.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({ replicas: 2 }, ({ service, replicaFor, manager }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1, 2, 3, 4] } }));
  });

  test('[settings.04, settings.12] of a hundred writes that expect the same revision one is 200 and the rest are 409, with one row of history and one record', async () => {
    const replies = await runInParallel(100, (index) =>
      callSetUnitSetting(replicaFor(index), unitIds(), 'Note', `note ${index}`, manager),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 setting-conflict': 99 });
    const { settings, history, syncs } = await readSettingTrace(service, unitIds());
    const written = replies.findIndex(({ status }) => status === 200);
    assert.deepEqual(
      settings.map(({ value }) => value),
      [`note ${written}`],
    );
    assert.deepEqual([history.length, syncs.length], [1, 1]);
    assert.equal(replies[written]?.json.revision, String(settings[0]?.version));
    const again = await runInParallel(100, (index) =>
      callSetUnitSetting(replicaFor(index), unitIds(), 'Note', `more ${index}`, {
        token: manager.token,
        expectedRevision: replies[written]?.json.revision,
      }),
    );
    assert.deepEqual(countOutcomes(again), { '200': 1, '409 setting-conflict': 99 });
    assert.equal((await readSettingTrace(service, unitIds())).history.length, 2);
  });

  test('[settings.04] of a hundred writes of the same value one changes it', async () => {
    const unit = unitIds(1001, 1, 2);
    const replies = await runInParallel(100, (index) =>
      callSetUnitSetting(replicaFor(index), unit, 'OutOfOrder', true, manager),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 setting-conflict': 99 });
    const { history, syncs } = await readSettingTrace(service, unit);
    assert.deepEqual([history.length, syncs.length], [1, 1]);
  });

  test('settings of one unit that are written at once are all written, each under a version of its own', async () => {
    const unit = unitIds(1001, 1, 3);
    const values: Readonly<Record<string, unknown>> = {
      OutOfOrder: true,
      OutOfOrderText: 'a',
      Note: 'b',
      ChildLock: true,
      MaxTemperature: 60,
      MaxSpinSpeed: 800,
      RinseCycles: 2,
      SoapDosing: false,
      SoapDose: 10,
      PriceWash60: 2500,
    };
    const replies = await Promise.all(
      Object.entries(values).map(([name, value], index) =>
        callSetUnitSetting(replicaFor(index), unit, name, value, manager),
      ),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 10 });
    const { settings, history, syncs } = await readSettingTrace(service, unit);
    const versions = settings.map(({ version }) => version);
    assert.equal(new Set(versions).size, 10);
    assert.deepEqual(history, settings);
    assert.deepEqual(
      syncs.map(({ subject_id }) => subject_id),
      versions,
      'queued in the order of their versions',
    );
  });

  test('[settings.04] writers that read, add and write lose none of each other’s steps', async () => {
    const unit = unitIds(1001, 1, 4);
    const addOne = async (index: number): Promise<void> => {
      for (;;) {
        const { value, revision } = await fetchUnitValue(replicaFor(index), unit, 'Prices', 'PriceSoap', {
          token: manager.token,
        });
        const reply = await callSetUnitSetting(replicaFor(index), unit, 'PriceSoap', (value ?? 0) + 1, {
          token: manager.token,
          expectedRevision: revision,
        });
        if (reply.status === 200) return;
        assert.deepEqual([reply.status, reply.json.code], [409, 'setting-conflict']);
      }
    };
    await runInParallel(20, (index) => addOne(index));
    const { history } = await readSettingTrace(service, unit);
    assert.deepEqual(
      history.map(({ value }) => value),
      Array.from({ length: 20 }, (_, index) => String(index + 1)),
    );
  });

  test('the records of the whole bank are numbered without a gap', async () => {
    const ids = (
      await Promise.all([1, 2, 3, 4].map((unit) => readSettingTrace(service, unitIds(1001, 1, unit))))
    ).flatMap(({ syncs }) => syncs.map(({ sync_id }) => sync_id));
    assert.deepEqual(
      ids.toSorted((a, b) => a - b),
      ids.map((_, index) => index + 1),
    );
  });
});
