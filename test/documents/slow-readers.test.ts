// Clients that do not read their answers hold neither a slot nor a database connection.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { before, test } from 'node:test';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import { sundHost } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { cyclesAt, documentKidOf, documentPath, formatPaths, report, samplesOf, unitAt } from './support/reports.ts';

const unit = unitAt(1001, 1, 1);
const start = testNow - 2 * dayMs;

serviceSuite({ now: testNow }, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1] } }));
    await report(service, unit, {
      cycles: cyclesAt(1, [start, start + dayMs]),
      samples: samplesOf('Power', [[start, '1']]),
    });
    await service.write('sund', async (db) => {
      const { series_id } = await db.selectFrom('state_series').select('series_id').executeTakeFirstOrThrow();
      const times = Array.from({ length: 40_000 }, (_, index) => start + (index + 1) * 1000);
      await insertRows(
        db,
        'state_samples',
        times.map((at) => ({ series_id, at, value: String(at % 97) })),
      );
    });
  });

  /** The head of an answer whose body is left unread. */
  async function startReading(path: string): Promise<IncomingMessage> {
    const outgoing = request({
      host: '127.0.0.1',
      port: service.port,
      path,
      agent: false,
      headers: { host: sundHost, authorization: `Bearer ${manager.token}` },
    }).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return incoming.pause();
  }

  test('[documents.58, documents.59] clients that read nothing do not delay other documents, and get theirs completely in the end', async () => {
    const path = documentPath(documentKidOf(unit, 1), 'table', 'settings=&states=Power');
    const unread: IncomingMessage[] = [];
    for (let count = 0; count < 4; count += 1) unread.push(await startReading(path));
    for (const format of formatPaths) {
      const { status } = await service.call(
        'GET',
        documentPath(documentKidOf(unit, 1), format, 'settings=&states=Power'),
        manager,
      );
      assert.equal(status, 200, format);
    }
    for (const incoming of unread) {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      assert.equal(body.length, Number(incoming.headers['content-length']));
      assert.equal((JSON.parse(body.toString()) as { rows: unknown[] }).rows.length, 40_001);
    }
  });
});
