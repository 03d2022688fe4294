// The search against an oracle that goes through all Cycles, one after the other.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { minuteMs, testNow } from '../support/times.ts';
import { documentKidOf, searchPath, unitAt, report, unitKidOf, type TestUnit } from './support/reports.ts';

const startOf = (step: number): number => testNow - 60 * minuteMs + step * minuteMs;
const time = fc.nat(12).map(startOf);
const cycle = fc.record({
  location: fc.integer({ min: 1, max: 3 }),
  unit: fc.integer({ min: 1, max: 2 }),
  documentId: fc.constantFrom(9, 10, 11),
  at: time,
});
const search = fc.record({
  bounds: fc
    .tuple(fc.constantFrom(0, 2, 6), fc.constantFrom(4, 9, 12))
    .map(([a, b]) => [startOf(Math.min(a, b)), startOf(Math.max(a, b))] as const),
  location: fc.constantFrom(undefined, undefined, undefined, 1, 2, 3, 4),
  unit: fc.constantFrom(undefined, undefined, undefined, 1, 2, 3),
  offset: fc.constantFrom<number[]>(0, 0, 1, 4),
  limit: fc.integer({ min: 1, max: 6 }),
  isNarrow: fc.constantFrom(false, false, true),
});

type Cycle = { readonly location: number; readonly unit: number; readonly documentId: number; readonly at: number };
type Search = typeof search extends fc.Arbitrary<infer S> ? S : never;

// Location 3 is deleted, and so is unit 2 of location 2; a narrow grant covers location 1.
const isVisible = ({ location, unit }: Pick<Cycle, 'location' | 'unit'>, isNarrow: boolean): boolean =>
  location !== 3 && !(location === 2 && unit === 2) && (!isNarrow || location === 1);

function expectKids(bankId: number, cycles: readonly Cycle[], asked: Search): { kids: string[]; hasMore: boolean } {
  const [from, through] = asked.bounds;
  const matching = cycles.filter(
    (each) =>
      each.at >= from &&
      each.at <= through &&
      isVisible(each, asked.isNarrow) &&
      (asked.location === undefined || each.location === asked.location) &&
      (asked.unit === undefined || (each.unit === asked.unit && each.location === (asked.location ?? 1))),
  );
  const byDocument = Map.groupBy(matching, ({ location, unit, documentId }) => `${location}/${unit}/${documentId}`);
  const documents = [...byDocument.values()].map((ofOne) => ofOne.reduce((a, b) => (b.at > a.at ? b : a)));
  const ordered = documents.toSorted(
    (a, b) => b.at - a.at || a.location - b.location || a.unit - b.unit || a.documentId - b.documentId,
  );
  const page = ordered.slice(asked.offset, asked.offset + asked.limit);
  return {
    kids: page.map(
      ({ location, unit, documentId, at }) =>
        `${documentKidOf(unitAt(bankId, location, unit), documentId)} ${formatUtc(at)}`,
    ),
    hasMore: ordered.length > asked.offset + asked.limit,
  };
}

serviceSuite({ now: testNow }, ({ service, manager, nextBankId, issueToken }) => {
  let bankIds: number[];
  const narrowTokens = new Map<number, string>();
  before(() => {
    bankIds = Array.from({ length: 25 }, () => nextBankId());
  });

  test('[documents.13, documents.15, documents.17, documents.20, documents.21, documents.22, general.57] a search finds each document with a Cycle in the interval once, in order', async () => {
    let found = 0;
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(cycle, { minLength: 20, maxLength: 30 }),
        fc.array(search, { minLength: 8, maxLength: 8 }),
        async (cycles, searches) => {
          const bankId = bankIds.pop() ?? nextBankId();
          await service.write('sund', (db) =>
            insertTestBank(db, { bankId, places: { 1: [1, 2], 2: [1, 2], 3: [1, 2] } }),
          );
          for (const { location, unit, documentId, at } of cycles)
            await report(service, unitAt(bankId, location, unit), { cycles: [{ documentId, at, value: 'Wash' }] });
          await service.write('sund', async (db) => {
            const ofBank = (table: 'units' | 'locations') =>
              db.updateTable(table).set({ deleted_at: 1 }).where('bank_id', '=', bankId);
            await ofBank('locations').where('location_id', '=', 3).execute();
            await db
              .updateTable('units')
              .set({ deleted_at: 1 })
              .where('bank_id', '=', bankId)
              .where('location_id', '=', 2)
              .where('unit_id', '=', 2)
              .execute();
          });
          narrowTokens.set(bankId, await issueToken({ grants: [{ bankId, locationId: 1 }] }));
          for (const asked of searches) {
            const { bounds, location, unit, offset, limit, isNarrow } = asked;
            const unitOf: TestUnit | undefined = unit === undefined ? undefined : unitAt(bankId, location ?? 1, unit);
            const query = {
              from: formatUtc(bounds[0]),
              through: formatUtc(bounds[1]),
              offset,
              limit,
              ...(location === undefined ? {} : { locationKid: `sund-B${bankId}-L${location}` }),
              ...(unitOf === undefined ? {} : { unitKid: unitKidOf(unitOf) }),
            };
            const token = isNarrow ? narrowTokens.get(bankId) : manager.token;
            const { status, json, text } = await service.call('GET', searchPath(bankId, query), { token });
            assert.equal(status, 200, text);
            const kids = json.items.map(
              ({ kid, lastActivityUtc }: Record<string, string>) => `${kid} ${lastActivityUtc}`,
            );
            const expected = expectKids(bankId, cycles, asked);
            assert.deepEqual({ kids, hasMore: json.hasMore }, expected, JSON.stringify(query));
            if (json.nextCursor !== null) {
              const further = { ...query, offset: 0, cursor: json.nextCursor };
              const next = await service.call('GET', searchPath(bankId, further), { token });
              const { items, ...page } = next.json;
              assert.deepEqual(
                {
                  kids: items.map((each: Record<string, string>) => `${each['kid']} ${each['lastActivityUtc']}`),
                  hasMore: page.hasMore,
                },
                expectKids(bankId, cycles, { ...asked, offset: offset + limit }),
              );
            }
            found += kids.length;
            cut += json.hasMore ? 1 : 0;
          }
        },
      ),
      { numRuns: 20 },
    );
    assert.ok(found > 40 && cut > 4, `${found} found, ${cut} pages cut`);
  });
});
