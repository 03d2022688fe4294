// The days and hours of receipts where a day is not what it seems: changes of the clocks in Copenhagen and London, none
// in Reykjavik, midnights to the millisecond, and several zones in one bank.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { postingDraft, recordInBoth } from '../support/account-reads.ts';
import { localDateOf, ms2000Of } from '../support/account-oracle.ts';
import {
  fetchAllReceiptsPages,
  plainRules,
  applyReceiptRules,
  userKidOf,
  type ReceiptsPage,
} from './support/receipts.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBank } from '../support/with-bank.ts';
import { hourMs } from '../support/times.ts';

const now = ms2000Of('2026-12-15T09:30:00Z');
const zones = { 0: 'Europe/Copenhagen', 1: 'Europe/Copenhagen', 2: 'Europe/London', 3: 'Atlantic/Reykjavik' } as const;
const locations = [1, 2, 3].map((id) => ({ id, name: `Location ${id}`, units: [{ id: 1, name: 'Washer 1' }] }));

serviceSuite({ now }, (suite) => {
  const { service, manager } = suite;

  /** The receipts of postings at these instants and locations. */
  async function receiptsAt(
    times: readonly (readonly [at: number, locationId: number])[],
  ): Promise<ReceiptsPage['items']> {
    const book = await newBank(suite, { locations });
    await applyReceiptRules(service, book, { ...plainRules, zones });
    await recordInBoth(
      service,
      book,
      times.map(([at, locationId]) => postingDraft(at, { locationId, unitId: locationId === 0 ? 0 : 1 })),
    );
    return (await fetchAllReceiptsPages(service, manager.token, userKidOf(book))).flatMap(({ items }) => items);
  }

  test('[receipts.11, receipts.13, receipts.22] the days on which clocks change are whole, and each hour has its offset', async () => {
    const table: [locationId: number, instant: string, date: string, shown: string][] = [
      [1, '2026-03-28T22:59:59.999Z', '2026-03-28', '2026-03-28T23:59:59.999+01:00'],
      [1, '2026-03-28T23:00:00Z', '2026-03-29', '2026-03-29T00:00:00.000+01:00'],
      [1, '2026-03-29T00:59:59.999Z', '2026-03-29', '2026-03-29T01:59:59.999+01:00'],
      [1, '2026-03-29T01:15:00Z', '2026-03-29', '2026-03-29T03:15:00.000+02:00'],
      [1, '2026-03-29T21:59:59.999Z', '2026-03-29', '2026-03-29T23:59:59.999+02:00'],
      [1, '2026-03-29T22:00:00Z', '2026-03-30', '2026-03-30T00:00:00.000+02:00'],
      [1, '2026-10-25T00:30:00Z', '2026-10-25', '2026-10-25T02:30:00.000+02:00'],
      [1, '2026-10-25T01:30:00Z', '2026-10-25', '2026-10-25T02:30:00.000+01:00'],
      [1, '2026-10-25T22:59:59.999Z', '2026-10-25', '2026-10-25T23:59:59.999+01:00'],
      [1, '2026-10-25T23:00:00Z', '2026-10-26', '2026-10-26T00:00:00.000+01:00'],
      [2, '2026-03-29T00:59:59.999Z', '2026-03-29', '2026-03-29T00:59:59.999+00:00'],
      [2, '2026-03-29T01:00:00Z', '2026-03-29', '2026-03-29T02:00:00.000+01:00'],
      [2, '2026-03-29T22:59:59.999Z', '2026-03-29', '2026-03-29T23:59:59.999+01:00'],
      [2, '2026-03-29T23:00:00Z', '2026-03-30', '2026-03-30T00:00:00.000+01:00'],
      [2, '2026-10-25T00:30:00Z', '2026-10-25', '2026-10-25T01:30:00.000+01:00'],
      [2, '2026-10-25T01:30:00Z', '2026-10-25', '2026-10-25T01:30:00.000+00:00'],
      [3, '2026-03-29T00:00:00Z', '2026-03-29', '2026-03-29T00:00:00.000+00:00'],
      [3, '2026-03-29T23:59:59.999Z', '2026-03-29', '2026-03-29T23:59:59.999+00:00'],
      [3, '2026-10-25T01:30:00Z', '2026-10-25', '2026-10-25T01:30:00.000+00:00'],
      // No location: the tenant's zone.
      [0, '2026-03-28T23:00:00Z', '2026-03-29', '2026-03-29T00:00:00.000+01:00'],
    ];
    const items = await receiptsAt(table.map(([locationId, instant]) => [ms2000Of(instant), locationId]));
    const shown = items.flatMap(({ date, locationKid, lines }) =>
      lines.map(({ kid, occurredAt }) => ({ id: Number(kid?.split('-X')[1]), date, locationKid, occurredAt })),
    );
    for (const [at, [locationId, instant, date, occurredAt]] of table.entries()) {
      const line = shown.find(({ id }) => id === at + 1);
      assert.deepEqual([line?.date, line?.occurredAt], [date, occurredAt], instant);
      assert.equal(line?.locationKid?.slice(-1) ?? '0', String(locationId));
    }
    const groups = new Set(table.map(([locationId, , date]) => `${locationId} ${date}`));
    assert.equal(items.length, groups.size, 'one receipt a day and location');
  });

  test('[receipts.22] any instant is on the day that Temporal computes for its location', async () => {
    const hour = fc.integer({ min: -300 * 24, max: 0 }).map((hours) => now + hours * hourMs);
    const change = fc.constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z').map(ms2000Of);
    const around = fc.tuple(change, fc.integer({ min: -26, max: 26 })).map(([at, off]) => at + off * 1_800_000);
    const time = fc.tuple(fc.oneof(hour, around), fc.constantFrom(-1, 0, 1)).map(([at, slip]) => at + slip);
    const times = fc.array(fc.tuple(time, fc.constantFrom(0, 1, 2, 3)), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(times, async (all) => {
        const items = await receiptsAt(all);
        const expected = all.map(([at, locationId]) => `${localDateOf(zones[locationId as 0], at)} ${locationId}`);
        const shown = items.flatMap(({ date, locationKid, lines }) =>
          lines.map(() => `${date} ${locationKid?.slice(-1) ?? '0'}`),
        );
        assert.deepEqual(shown.toSorted(), expected.toSorted());
        assert.equal(items.length, new Set(expected).size);
      }),
      { numRuns: 8 },
    );
  });
});
