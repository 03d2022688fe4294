// A reference computer that is killed in the middle of recording and sending loses nothing, and sends nothing twice.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSeededRandom } from '../../demo/random.ts';
import { startEquipmentService } from './support/equipment-service.ts';
import { createFolder } from './support/test-computer.ts';

const program = join(import.meta.dirname, 'support/recording-computer.ts');

test('what was recorded before a kill arrives once and in order', async (t) => {
  const service = await startEquipmentService();
  t.after(service.stop);
  const file = join(createFolder(t), 'computer.sqlite');
  const random = createSeededRandom('kills');
  const recorded: string[] = [];
  /** Kills it after it has recorded some lines, or lets it end. */
  const live = async (life: number, count: number, killAfter: number): Promise<NodeJS.Signals | null> => {
    const child = spawn(process.execPath, [program, file, service.url, `life${life}`, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    let text = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      text += String(chunk);
      if (text.split('\n').length > killAfter) child.kill('SIGKILL');
    }
    // A reference that the kill has cut in two was recorded, too, but this test cannot know it.
    recorded.push(...text.split('\n').slice(0, -1));
    const [, signal] = (await exit) as [number | null, NodeJS.Signals | null];
    return signal;
  };
  const kills = 8;
  for (let life = 0; life < kills; life += 1) {
    if (random.chance(0.5)) service.state.faults['money']?.push('cut-after');
    assert.equal(await live(life, 1_000_000, random.int(1, 150)), 'SIGKILL');
  }
  assert.equal(await live(kills, 10, Infinity), null);
  const arrived = (service.state.streams['money']?.lines ?? []).map(({ ref }) => String(ref));
  assert.equal(new Set(arrived).size, arrived.length, 'nothing twice');
  const places = recorded.map((ref) => arrived.indexOf(ref));
  assert.ok(!places.includes(-1), 'nothing lost');
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    'in order',
  );
  // What it could not say before it was killed has arrived, too.
  for (const [life, refs] of Map.groupBy(arrived, (ref) => ref.split('-')[0] ?? ''))
    assert.deepEqual(
      refs,
      refs.map((_, at) => `${life}-${at}`),
      'nothing that was not recorded',
    );
});
