// The table of a document against an oracle that reads all samples of the unit one by one.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StateSample, TaggedCycle, UnitReport } from '../../src/features/documents/queries/record-report.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { minuteMs, testNow } from '../support/times.ts';
import { documentKidOf, documentPath, report, summarize, unitAt } from './support/reports.ts';

const names = ['Temperature', 'Power', 'ProgramRunning', 'Program'] as const;
/** The order in which columns are displayed. */
const columnOrder = ['Cycle', 'ProgramRunning', 'Program', 'Temperature', 'Power'];
const cycleValues = ['Start', 'Wash', 'Rinse', 'End'];

// Few of each, so that they collide; half a minute apart, so that two minutes are four steps.
const time = fc.nat(24).map((step) => testNow - 60 * minuteMs + step * 30_000);
const value = fc.constantFrom('1', '2.50', '-0.5', 'true', 'Wash 60°', '', '1e3', 'NaN', '007', null);
const sample = fc.record({ name: fc.constantFrom(...names), at: time, value });
const cycle = fc.record({
  documentId: fc.integer({ min: 1, max: 3 }),
  at: time,
  value: fc.constantFrom(...cycleValues),
});
const sent = fc.record({
  samples: fc.array(sample, { maxLength: 12 }),
  cycles: fc.array(cycle, { maxLength: 4 }).map((cycles) => cycles.toSorted((a, b) => a.at - b.at)),
  syncedThrough: time,
});
const history = fc.array(sent, { minLength: 1, maxLength: 4 });
const selection = fc.subarray([...names]);

type History = readonly UnitReport[];

/** The effective samples: of one name and time, and of a document's Cycles of one time, the last one counts. */
function lastBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

function expectDocument(sentReports: History, documentId: number, states: readonly string[]) {
  // The last value also counts for a repeated sample within one report.
  const samples: StateSample[] = lastBy(
    sentReports.flatMap((each) => each.samples),
    ({ name, at }) => `${name} ${at}`,
  );
  const tagged: TaggedCycle[] = lastBy(
    sentReports.flatMap(({ cycles }) => cycles),
    (each) => `${each.documentId} ${each.at}`,
  );
  const own = tagged.filter((each) => Number(each.documentId) === documentId);
  if (own.length === 0) return undefined;
  const times = own.map(({ at }) => at);
  const [from, last] = [Math.min(...times), Math.max(...times)];
  const hasEnded = own.some((each) => each.value === 'End');
  const synced = Math.max(...sentReports.map(({ syncedThrough }) => syncedThrough));
  const following = tagged.map(({ at }) => at).filter((at) => at > last);
  const through = hasEnded ? last : Math.max(last, Math.min(synced, ...following.map((at) => at - 1)));
  const values = [...samples, ...own.map(({ at, value: text }) => ({ name: 'Cycle', at, value: text }))];
  const columns = columnOrder.filter((name) => name === 'Cycle' || states.includes(name));
  const shown = values.filter(({ name, at }) => columns.includes(name) && at >= from && at <= through);
  const rowTimes = [...new Set(shown.map(({ at }) => at))].toSorted((a, b) => a - b);
  return {
    finished: hasEnded && synced >= last + 2 * minuteMs,
    fromMs2000: from,
    throughMs2000: through,
    columns,
    rows: rowTimes.map((at) => ({
      ms2000: at,
      utc: formatUtc(at),
      texts: columns.map((name) => {
        const found = shown.find((each) => each.name === name && each.at === at);
        return found === undefined ? 'no sample' : found.value;
      }),
    })),
  };
}

type TableJson = {
  readonly finished: boolean;
  readonly fromMs2000: number;
  readonly throughMs2000: number;
  readonly columns: { readonly name: string }[];
  readonly rows: {
    readonly ms2000: number;
    readonly utc: string;
    readonly cells: ({ readonly text: string | null; readonly value: number | null } | null)[];
  }[];
};

/** The part of a table that the oracle computes. */
const toComparable = ({ finished, fromMs2000, throughMs2000, columns, rows }: TableJson) => ({
  finished,
  fromMs2000,
  throughMs2000,
  columns: columns.map(({ name }) => name),
  rows: rows.map(({ ms2000, utc, cells }) => ({
    ms2000,
    utc,
    texts: cells.map((cell) => (cell === null ? 'no sample' : cell.text)),
  })),
});

serviceSuite({ now: testNow }, ({ service, manager, nextBankId }) => {
  test('[documents.28, documents.29, documents.30, documents.31, documents.33] a table has each sample of the document at its position, and no others', async () => {
    const counts = { tables: 0, missing: 0, finished: 0, rows: 0 };
    await fc.assert(
      fc.asyncProperty(history, selection, async (reports, states) => {
        const bankId = nextBankId();
        await service.write('sund', (db) => insertTestBank(db, { bankId, places: { 1: [1] } }));
        const unit = unitAt(bankId, 1, 1);
        for (const each of reports) await report(service, unit, each);
        for (const documentId of [1, 2, 3]) {
          const query = `settings=Cycle&states=${states.join()}`;
          const reply = await service.call(
            'GET',
            documentPath(documentKidOf(unit, documentId), 'table', query),
            manager,
          );
          const expected = expectDocument(reports, documentId, states);
          if (expected === undefined) {
            assert.equal(summarize(reply), '404 not-found');
            counts.missing += 1;
            continue;
          }
          assert.equal(reply.status, 200, reply.text);
          assert.deepEqual(toComparable(reply.json as TableJson), expected);
          for (const { cells } of (reply.json as TableJson).rows)
            for (const cell of cells)
              assert.ok(cell === null || cell.value === null || Number.isFinite(cell.value), JSON.stringify(cell));
          counts.tables += 1;
          counts.finished += expected.finished ? 1 : 0;
          counts.rows += expected.rows.length;
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(counts.tables > 30 && counts.missing > 10 && counts.finished > 3, JSON.stringify(counts));
    assert.ok(counts.rows > counts.tables, JSON.stringify(counts));
  });
});
