// The access log of requests that wait: a success is worth no line, unless something was wrong with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/log.ts';
import { createDeferred, waitUntil } from '../support/async.ts';
import { readDesired } from '../support/desired.ts';
import { startInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment } from '../support/streams.ts';

type Line = { readonly level: string; readonly operation?: string; readonly status: number; readonly ms: number };

serviceSuite({ now: 834_831_000_000 }, (suite) => {
  const { service, manager } = suite;
  /** The service again, with a log of its own; `lines` are those of requests for GetDesired. */
  const startLogged = async (level: string) => {
    const written: string[] = [];
    const log = createLog(level, { write: (line: string) => void written.push(line) });
    const instance = await startInstance(service, { log });
    const lines = (): Line[] =>
      written.map((line) => JSON.parse(line)).filter(({ operation }: Line) => operation === 'GetDesired');
    return { ...instance, lines };
  };
  const outcomesOf = (lines: readonly Line[]) => lines.map(({ level, status }) => [level, status]);

  test('successful polls are logged at level debug, however long they wait, and failures at level info', async () => {
    const equipment = await createEquipment(suite);
    const [usual, detailed] = [await startLogged('info'), await startLogged('debug')];
    for (const instance of [usual, detailed]) {
      assert.equal((await readDesired(instance, equipment.key, 0)).status, 200);
      // Longer than the work of a request may take until it is slow.
      assert.equal((await readDesired(instance, equipment.key, 0, { wait: 2 })).status, 200);
      assert.equal((await readDesired(instance, equipment.key, 9999)).status, 410);
      await waitUntil('the failure is logged', () => instance.lines().some(({ status }) => status === 410));
    }
    assert.deepEqual(outcomesOf(usual.lines()), [['info', 410]]);
    const lines = detailed.lines();
    assert.deepEqual(outcomesOf(lines), [
      ['debug', 200],
      ['debug', 200],
      ['info', 410],
    ]);
    assert.ok((lines[1]?.ms ?? 0) >= 2000, 'the line has the whole time');
    await Promise.all([usual.stop(), detailed.stop()]);
  });

  test('a poll whose work was slow is logged at level info', async () => {
    const equipment = await createEquipment(suite);
    const instance = await startLogged('info');
    const body = { value: 60, expectedRevision: '0' };
    const path = `/api/v1/units/${equipment.unit('1-1')}/settings/MaxTemperature`;
    assert.equal((await service.call('PUT', path, { ...manager, body })).status, 200);
    const [held, mayEnd] = [createDeferred(), createDeferred()];
    const holding = service.write('sund', async (db) => {
      await db.updateTable('computer_states').set({ buffered: 7 }).where('bank_id', '=', equipment.bankId).execute();
      held.resolve();
      await mayEnd.promise;
    });
    await held.promise;
    const reading = readDesired(instance, equipment.key, 0);
    setTimeout(() => mayEnd.resolve(), 1500);
    await holding;
    assert.equal((await reading).status, 200);
    await waitUntil('it is logged', () => instance.lines().length > 0);
    assert.deepEqual(outcomesOf(instance.lines()), [['info', 200]]);
    await instance.stop();
  });
});
