// Checks the order of samples, and which of several writes of a setting counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SampleColumn } from './document-table.ts';
import { collectSamples } from './collect-samples.ts';

const columns = ['Power', 'Door', 'Cycle'].map((name) => ({ name }) as SampleColumn);

function collect(
  settings: readonly { readonly name: string; readonly at: number; readonly value: string | null }[],
  packedStates: readonly string[] = [],
): string[] {
  const seriesNames = new Map([
    [7, 'Power'],
    [8, 'Door'],
  ]);
  const samples = collectSamples({ columns, fromMs2000: 1000, packedStates, seriesNames, settings });
  return samples.texts.map(
    (text, index) => `${samples.ms2000[index]} ${columns[samples.columns[index]!]!.name}=${text}`,
  );
}

test('the last of several writes of a setting at one instant counts', () => {
  const writes = [
    { name: 'Cycle', at: 1000, value: 'Start' },
    { name: 'Cycle', at: 2000, value: 'Wash' },
    { name: 'Door', at: 2000, value: 'open' },
    { name: 'Cycle', at: 2000, value: 'Spin' },
    { name: 'Cycle', at: 2000, value: 'End' },
  ];
  assert.deepEqual(collect(writes).toSorted(), ['1000 Cycle=Start', '2000 Cycle=End', '2000 Door=open']);
});

test('samples of states and settings come in the order of time', () => {
  const packed = ['[7,3000,"1.5"],[8,1500,null]', '[7,1200,"0.5"]'];
  assert.deepEqual(collect([{ name: 'Cycle', at: 2000, value: 'Wash' }], packed), [
    '1200 Power=0.5',
    '1500 Door=null',
    '2000 Cycle=Wash',
    '3000 Power=1.5',
  ]);
});
