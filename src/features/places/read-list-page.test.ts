// Compares pages with slices of the whole sorted list.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListPage, type PlaceListInput } from './read-list-page.ts';
import type { RowSlice } from './queries/row-slice.ts';

type Row = { readonly id: number; readonly name: string; readonly size: number };
type TestListInput = PlaceListInput<'name' | 'size'>;
type TestListing = Omit<TestListInput, 'page'> & { readonly offset: number; readonly limit: number };

const sampleNames = ['', 'Alder', 'alder', 'Ålder', 'Birch 2', 'Birch 10', 'Ø', 'ZZ'];
const anyRows = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 1, max: 60 }), name: fc.constantFrom(...sampleNames), size: fc.nat(3) }),
  { maxLength: 40, selector: ({ id }) => id },
);
const anyListing: fc.Arbitrary<TestListing> = fc.record(
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
        const sign = slice.direction === 'asc' ? 1 : -1;
        const [lastId = sign * Number.NEGATIVE_INFINITY] = slice.after ?? [];
        const ordered = (sign === 1 ? byId : byId.toReversed()).filter(({ id }) => sign * (id - lastId) > 0);
        return ordered.slice(slice.offset, slice.offset + slice.limit);
      },
      idOf: ({ id }: Row) => id,
    },
  };
}

/** Its cursors are positions as JSON. */
const toInput = ({ offset, limit, ...order }: TestListing, after?: string | null): TestListInput => {
  const [itemsBefore = offset, ...position] = JSON.parse(after ?? '[]') as [number?, ...unknown[]];
  return {
    ...order,
    page: {
      after: position.length === 0 ? undefined : (position as unknown as TestListInput['page']['after']),
      offset: position.length === 0 ? offset : 0,
      limit,
      itemsBefore,
      formatCursor: (last, count) => JSON.stringify([count, ...last]),
    },
  };
};

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
      const { items, nextCursor, ...frame } = await readListPage(
        toInput(listing),
        'da',
        createRecordingTable(rows).source,
      );
      assert.deepEqual(items, found.slice(offset, offset + limit));
      assert.deepEqual(frame, { offset, limit, hasMore: found.length > offset + limit });
      assert.equal(nextCursor !== null, frame.hasMore);
    }),
    { numRuns: 400 },
  );
});

test('pages that follow each other have every row that stays exactly once, whatever is deleted and added between them', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRows,
      anyRows,
      anyListing,
      fc.nat(59),
      async (rows, others, { offset: _offset, ...rest }, deleted) => {
        const listing = { ...rest, offset: 0 };
        const { source } = createRecordingTable(rows);
        const whole = await readListPage(toInput({ ...listing, limit: 100 }), 'da', source);
        const shown: Row[] = [];
        let table = rows;
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page = await readListPage(toInput(listing, cursor), 'da', createRecordingTable(table).source);
          assert.equal(page.offset, shown.length);
          shown.push(...page.items);
          cursor = page.nextCursor;
          const added = others.filter(({ id }) => rows.every((row) => row.id !== id));
          table = [...rows.filter(({ id }) => id !== deleted), ...added];
        }
        assert.equal(new Set(shown).size, shown.length);
        const ofFirst = shown.filter((row) => rows.includes(row));
        const expected = whole.items.filter((row) => row.id !== deleted || shown.includes(row));
        assert.deepEqual(ofFirst, expected);
      },
    ),
    { numRuns: 400 },
  );
});

test('in the order of ids only the rows of the page and one more are read', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `Row ${index}`, size: 1 }));
  const { asked, source } = createRecordingTable(rows);
  const byKid: TestListing = { sort: 'kid', direction: 'desc', offset: 5, limit: 10 };
  await readListPage(toInput(byKid), 'en', source);
  assert.deepEqual(asked, [{ direction: 'desc', after: undefined, offset: 5, limit: 11 }]);
});

test('in the order of names the entries and the rows of the page are read, and no rows for an empty page', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `Row ${index}`, size: 1 }));
  const { asked, source } = createRecordingTable(rows);
  await readListPage(toInput({ sort: 'name', direction: 'asc', offset: 3, limit: 2 }), 'en', source);
  assert.deepEqual(asked, ['entries', { ids: [4, 5] }]);
  asked.length = 0;
  await readListPage(toInput({ sort: 'name', direction: 'asc', offset: 30, limit: 2 }), 'en', source);
  assert.deepEqual(asked, ['entries']);
});
