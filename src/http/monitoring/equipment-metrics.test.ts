// Checks the metrics of the Equipment API: their names, labels and values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { createEquipmentMetrics } from './equipment-metrics.ts';

test('lines are counted by stream and outcome, and the lag of new ones is measured', async () => {
  const registry = new Registry();
  const metrics = createEquipmentMetrics(registry, async () => new Map());
  metrics.linesReceived('money', { booked: 2, held: 1, other: 0, repeated: 4 }, [2, 90, 100_000]);
  metrics.linesReceived('money', { booked: 1, held: 0, other: 1, repeated: 0 }, []);
  metrics.streamRequestEnded({ stream: 'samples', seconds: 0.03 });
  const text = await registry.metrics();
  for (const line of [
    'equipment_lines_total{stream="money",outcome="booked"} 3',
    'equipment_lines_total{stream="money",outcome="held"} 1',
    'equipment_lines_total{stream="money",outcome="other"} 1',
    'equipment_lines_total{stream="money",outcome="repeated"} 4',
    'equipment_line_lag_seconds_bucket{le="5",stream="money"} 1',
    'equipment_line_lag_seconds_bucket{le="300",stream="money"} 2',
    'equipment_line_lag_seconds_count{stream="money"} 3',
    'equipment_stream_request_seconds_bucket{le="0.05",stream="samples"} 1',
    'equipment_stream_request_seconds_sum{stream="samples"} 0.03',
  ])
    assert.ok(text.includes(`\n${line}\n`), line);
});

test('open polls are counted until they end, once each', async () => {
  const registry = new Registry();
  const metrics = createEquipmentMetrics(registry, async () => new Map());
  const [endFirst, endSecond] = [metrics.pollOpened(), metrics.pollOpened()];
  assert.match(await registry.metrics(), /^equipment_open_polls 2$/m);
  endFirst();
  endFirst();
  assert.match(await registry.metrics(), /^equipment_open_polls 1$/m);
  endSecond();
  assert.match(await registry.metrics(), /^equipment_open_polls 0$/m);
});

test('held lines are those of each tenant that can be asked at the time of the question', async () => {
  const registry = new Registry();
  let counts = new Map([
    ['sund', 3],
    ['fjord', 0],
  ]);
  createEquipmentMetrics(registry, async () => counts);
  assert.match(await registry.metrics(), /^equipment_held_lines\{tenant="sund"\} 3\n.*tenant="fjord"\} 0$/m);
  counts = new Map([['sund', 2]]);
  const text = await registry.metrics();
  assert.match(text, /^equipment_held_lines\{tenant="sund"\} 2$/m);
  assert.doesNotMatch(text, /fjord/);
});
