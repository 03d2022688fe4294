// The metrics of the Equipment API: lines by their outcome, and lines that wait.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment } from '../support/streams.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service } = suite;
  const read = async (name: string): Promise<number> => {
    const text = await service.dependencies.metrics.text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  };

  test('lines are counted as booked, held or repeated once they are committed, and held ones wait', async () => {
    const equipment = await createEquipment(suite);
    const names = ['booked', 'held', 'other', 'repeated'].map(
      (outcome) => `equipment_lines_total{stream="money",outcome="${outcome}"}`,
    );
    const readAll = () => Promise.all(names.map(read));
    assert.deepEqual(await readAll(), [0, 0, 0, 0]);
    const lines = [equipment.use({ ref: 'A-1' }), equipment.use({ key: 'FFFF0000' }), equipment.use({ ref: 'A-2' })];
    assert.equal((await equipment.send('money', lines)).status, 200);
    assert.deepEqual(await readAll(), [2, 1, 0, 0]);
    assert.equal((await equipment.send('money', lines)).status, 200);
    assert.deepEqual(await readAll(), [2, 1, 0, 3]);
    assert.equal(await read('equipment_held_lines{tenant="sund"}'), 1);
    assert.equal(await read('equipment_stream_request_seconds_count{stream="money"}'), 2);
    assert.equal(await read('equipment_line_lag_seconds_count{stream="money"}'), 3);
    assert.equal(await read('equipment_line_lag_seconds_bucket{le="60",stream="money"}'), 3);
    assert.equal(await read('equipment_open_polls'), 0);
  });
});
