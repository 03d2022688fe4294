// How long a document lasts, and when it is finished.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { UnitReport } from '../../src/features/documents/queries/record-report.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, minuteMs, testNow } from '../support/times.ts';
import {
  cyclesAt,
  documentKidOf,
  documentPath,
  formatPaths,
  report,
  samplesOf,
  unitAt,
  type TestUnit,
} from './support/reports.ts';

const start = testNow - 5 * hourMs;
const end = start + hourMs;

serviceSuite({ now: testNow }, ({ service, manager, nextBankId, clock }) => {
  let unit: TestUnit;
  beforeEach(async () => {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId, places: { 1: [1] } }));
    unit = unitAt(bankId, 1, 1);
  });

  const send = (sent: Partial<UnitReport>): Promise<void> => report(service, unit, sent);
  /** Whether the document is finished, and when it begins and ends, relative to the start. */
  const stateOf = async (documentId = 1): Promise<unknown[]> => {
    const { status, json, text, headers } = await service.call(
      'GET',
      documentPath(documentKidOf(unit, documentId)),
      manager,
    );
    assert.equal(status, 200, text);
    assert.equal(headers['x-document-complete'], String(json.finished));
    return [json.finished, json.fromMs2000 - start, json.throughMs2000 - start];
  };
  const timesOf = async (documentId: number): Promise<number[]> => {
    const { json } = await service.call('GET', documentPath(documentKidOf(unit, documentId)), manager);
    return json.rows.map(({ ms2000 }: { ms2000: number }) => ms2000 - start);
  };

  test('[documents.33] a document with a terminal Cycle is finished two minutes after its end, and not before', async () => {
    await send({ cycles: cyclesAt(1, [start, end]), syncedThrough: end });
    assert.deepEqual(await stateOf(), [false, 0, hourMs]);
    await send({ syncedThrough: end + 2 * minuteMs - 1 });
    assert.deepEqual(await stateOf(), [false, 0, hourMs]);
    await send({ syncedThrough: end + 2 * minuteMs });
    assert.deepEqual(await stateOf(), [true, 0, hourMs]);
  });

  test('[documents.33] a document without a terminal Cycle is never finished, and lasts until the unit’s last report', async () => {
    await send({ cycles: cyclesAt(1, [start, start + minuteMs], { ends: false }), syncedThrough: start });
    assert.deepEqual(await stateOf(), [false, 0, minuteMs]);
    await send({
      samples: samplesOf('Power', [
        [start + 20 * minuteMs, '1'],
        [start + 40 * minuteMs, '2'],
      ]),
      syncedThrough: start + 30 * minuteMs,
    });
    assert.deepEqual(await stateOf(), [false, 0, 30 * minuteMs]);
    assert.deepEqual(await timesOf(1), [0, minuteMs, 20 * minuteMs]);
    await send({ syncedThrough: end + 24 * hourMs });
    assert.deepEqual(await stateOf(), [false, 0, 25 * hourMs]);
  });

  test('[documents.62] the page of an unfinished document tells a silent unit from one that is running', async () => {
    await send({ cycles: cyclesAt(1, [start, start + minuteMs], { ends: false }), syncedThrough: testNow - minuteMs });
    const read = async (): Promise<string> =>
      (await service.call('GET', documentPath(documentKidOf(unit, 1), 'table.html'), manager)).text;
    assert.match(await read(), /Running, more samples may follow/);
    clock.now = testNow + 3 * dayMs;
    assert.match(await read(), /Not finished, silent since Mon 15 Jun 2026/);
    await service.write('sund', (db) =>
      db.updateTable('units').set({ last_contact_at: clock.now }).where('bank_id', '=', unit.bankId).execute(),
    );
    assert.match(await read(), /Running, more samples may follow/);
    clock.now = testNow;
  });

  test('[documents.33] the unit’s next document ends one that has no terminal Cycle, without finishing it', async () => {
    const next = end + 10 * minuteMs;
    await send({ cycles: cyclesAt(1, [start], { ends: false }), syncedThrough: start });
    await send({
      cycles: cyclesAt(2, [next, next + minuteMs]),
      samples: samplesOf('Power', [
        [next - 1, '1'],
        [next, '2'],
      ]),
      syncedThrough: next + hourMs,
    });
    assert.deepEqual(await stateOf(1), [false, 0, next - 1 - start]);
    assert.deepEqual(await timesOf(1), [0, next - 1 - start]);
    assert.deepEqual((await stateOf(2))[0], true);
  });

  test('[documents.33] the full end is the last tagged Cycle, also after a terminal one', async () => {
    await send({ cycles: cyclesAt(1, [start, end]), syncedThrough: end + 2 * minuteMs });
    assert.deepEqual(await stateOf(), [true, 0, hourMs]);
    await send({ cycles: [{ documentId: 1, at: end + minuteMs, value: 'CoolDown' }], syncedThrough: end });
    assert.deepEqual(await stateOf(), [false, 0, hourMs + minuteMs]);
    await send({ syncedThrough: end + 3 * minuteMs });
    assert.deepEqual(await stateOf(), [true, 0, hourMs + minuteMs]);
  });

  test('[documents.33] a document that begins when another one ends does not shorten it', async () => {
    await send({ cycles: cyclesAt(1, [start, end]) });
    await send({ cycles: cyclesAt(2, [end, end + hourMs]), syncedThrough: end + 2 * hourMs });
    assert.deepEqual(await stateOf(1), [true, 0, hourMs]);
    assert.deepEqual(await stateOf(2), [true, hourMs, 2 * hourMs]);
    const cyclesOf = async (documentId: number): Promise<unknown> => {
      const path = documentPath(documentKidOf(unit, documentId), 'table', 'states=&settings=Cycle');
      const { json } = await service.call('GET', path, manager);
      return json.rows.map(({ cells }: { cells: { text: string }[] }) => cells[0]?.text);
    };
    assert.deepEqual(
      [await cyclesOf(1), await cyclesOf(2)],
      [
        ['Start', 'End'],
        ['Start', 'End'],
      ],
    );
  });

  test('[documents.55] a document that never ends stays readable: it lasts no longer than a document may', async () => {
    await send({ cycles: cyclesAt(1, [start, start + minuteMs], { ends: false }), syncedThrough: start + 31 * dayMs });
    assert.deepEqual(await stateOf(), [false, 0, 31 * dayMs]);
    await send({ syncedThrough: start + 60 * dayMs });
    assert.deepEqual(await stateOf(), [false, 0, 31 * dayMs]);
  });

  test('[documents.33] reports of other units of the bank do not count', async () => {
    await service.write('sund', (db) => insertTestBank(db, { bankId: unit.bankId + 500_000, places: { 1: [1] } }));
    await send({ cycles: cyclesAt(1, [start], { ends: false }) });
    const neighbour = unitAt(unit.bankId + 500_000, 1, 1);
    await report(service, neighbour, { cycles: cyclesAt(1, [end]), syncedThrough: end + hourMs });
    assert.deepEqual(await stateOf(), [false, 0, 0]);
  });

  test('[documents.50, documents.51] a running document says so in every format', async () => {
    await send({
      cycles: cyclesAt(1, [start], { ends: false }),
      samples: samplesOf('Power', [[start, '1']]),
      syncedThrough: end,
    });
    for (const format of formatPaths) {
      const { status, headers } = await service.call('GET', documentPath(documentKidOf(unit, 1), format), manager);
      assert.deepEqual([status, headers['x-document-complete']], [200, 'false'], format);
    }
  });

  test('a document can have the greatest possible number', async () => {
    const greatest = 9_223_372_036_854_775_807n;
    await send({ cycles: cyclesAt(greatest, [start, end]), syncedThrough: end + hourMs });
    const { status, json } = await service.call('GET', documentPath(documentKidOf(unit, greatest)), manager);
    assert.deepEqual([status, json.documentKid], [200, documentKidOf(unit, greatest)]);
    const { json: found } = await service.call('GET', `/api/v1/banks/sund-B${unit.bankId}/documents`, manager);
    assert.equal(found.items[0].kid, documentKidOf(unit, greatest));
  });
});
