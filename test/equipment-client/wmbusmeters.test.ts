// A telegram as wmbusmeters prints it becomes a line of samples.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSamplesLine, type MeterMapping, type Telegram } from '../../equipment-client/wmbusmeters.ts';

const telegram: Telegram = {
  media: 'cold water',
  meter: 'multical21',
  name: 'Cellar',
  id: '76348799',
  total_m3: 6.408,
  target_m3: 6.408,
  max_flow_m3h: 0,
  flow_temperature_c: 127,
  external_temperature_c: 19,
  current_status: 'DRY',
  time_dry: '22-31 days',
  timestamp: '2026-06-15T09:09:08Z',
};
const mappings: ReadonlyMap<string, MeterMapping> = new Map([
  ['76348799', { unit: 'sund-B1001-L1-U9', values: { VolumeReading: 'total_m3', Flow: 'max_flow_m3h' } }],
  ['11111111', { unit: 'sund-B1001-L1-U8', values: { VolumeReading: 'total_kwh' } }],
]);

test('the mapped members become values of the unit at the time of the telegram', () => {
  assert.deepEqual(toSamplesLine(telegram, mappings), {
    t: 'samples',
    at: '2026-06-15T09:09:08Z',
    unit: 'sund-B1001-L1-U9',
    values: { VolumeReading: 6.408, Flow: 0 },
  });
});

test('the telegram of another meter, or without the values, becomes no line', () => {
  assert.equal(toSamplesLine({ ...telegram, id: '99999999' }, mappings), undefined);
  assert.equal(toSamplesLine({ ...telegram, id: '11111111' }, mappings), undefined);
  assert.equal(toSamplesLine({ ...telegram, total_m3: null, max_flow_m3h: undefined }, mappings), undefined);
});
