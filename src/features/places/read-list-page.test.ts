// Compares pages with slices of the whole sorted list.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListPage, type PlaceListInput } from './read-list-page.ts';
import type { RowSlice } from './queries/row-slice.ts';

type Row = { readonly id: number; readonly name: string; readonly size: number };
type TestListInput = PlaceListInput<'name' | 'size'>;

const sampleNames = ['', 'Alder', 'alder', 'Ålder', 'Birch 2', 'Birch 10', 'Ø', 'ZZ'];
const anyRows = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 1, max: 60 }), name: fc.constantFrom(...sampleNames), size: fc.nat(3) }),
  { maxLength: 40, selector: ({ id }) => id },
);
const anyListing: fc.Arbitrary<TestListInput> = fc.record(
  {
    sort: fc.constantFrom('kid', 'name', 'size'),
    direction: fc.constantFrom('asc', 'desc'),
    offset: fc.nat(45),
    limit: fc.integer({ min: 1, max: 20 }),
    filter: fc.constantFrom('', 'a', 'BIRCH', '1', 'å', 'nowhere'),
  },
  { requiredKeys: ['sort', 'direction', 'offset', 'limit'] },
);

/** A table that records how it was read. */
function createRecordingTable(all: readonly Row[]) {
  const asked: ('entries' | RowSlice)[] = [];
  const byId = all.toSorted((a, b) => a.id - b.id);
  return {
    asked,
    source: {
      listEntries: async () => {
        asked.push('entries');
        return all.map(({ id, name, size }) => ({ id, searchTexts: [name], sortValues: { name, size } }));
      },
      listRows: async (slice: RowSlice) => {
        asked.push(slice);
        if ('ids' in slice) return byId.filter(({ id }) => slice.ids.includes(id));
        const ordered = slice.direction === 'asc' ? byId : byId.toReversed();
        return ordered.slice(slice.offset, slice.offset + slice.limit);
      },
      idOf: ({ id }: Row) => id,
    },
  };
}

const compareByColumn = new Intl.Collator('da', { numeric: true }).compare;
const orders: Record<TestListInput['sort'], (a: Row, b: Row) => number> = {
  kid: (a, b) => a.id - b.id,
  name: (a, b) => compareByColumn(a.name, b.name),
  size: (a, b) => a.size - b.size,
};

test('a page is a slice of the whole list after searching and sorting', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, anyListing, async (rows, listing) => {
      const { filter = '', sort, direction, offset, limit } = listing;
      const ordered = rows.toSorted((a, b) => a.id - b.id);
      const sorted = ordered.toSorted(direction === 'asc' ? orders[sort] : (a, b) => orders[sort](b, a));
      const found = sorted.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
      const { items, ...frame } = await readListPage(listing, 'da', createRecordingTable(rows).source);
      assert.deepEqual(items, found.slice(offset, offset + limit));
      assert.deepEqual(frame, { offset, limit, hasMore: found.length > offset + limit });
    }),
    { numRuns: 400 },
  );
});

test('in the order of ids only the rows of the page and one more are read', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, name: `Row ${at}`, size: 1 }));
  const { asked, source } = createRecordingTable(rows);
  const byKid: TestListInput = { sort: 'kid', direction: 'desc', offset: 5, limit: 10 };
  await readListPage(byKid, 'en', source);
  assert.deepEqual(asked, [{ direction: 'desc', offset: 5, limit: 11 }]);
});

test('in the order of names the entries and the rows of the page are read, and no rows for an empty page', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, name: `Row ${at}`, size: 1 }));
  const { asked, source } = createRecordingTable(rows);
  await readListPage({ sort: 'name', direction: 'asc', offset: 3, limit: 2 }, 'en', source);
  assert.deepEqual(asked, ['entries', { ids: [4, 5] }]);
  asked.length = 0;
  await readListPage({ sort: 'name', direction: 'asc', offset: 30, limit: 2 }, 'en', source);
  assert.deepEqual(asked, ['entries']);
});
