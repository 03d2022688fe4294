// Exports the objects of a kind page by page, and makes revisions of their values.

import { digestRevision } from '../../../lib/values/revision.ts';
import type { ExportedRow, RowValues } from '../import-kind.ts';

/** How many objects most exports have in a page. */
export const exportPageSize = 1000;

/** The pages after each other: `read` gets the last object of the page before, and returns none when there are no more. */
export async function* exportPages<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
  toRow: (row: Row) => ExportedRow,
): AsyncGenerator<readonly ExportedRow[]> {
  for (let rows = await read(undefined); rows.length > 0; rows = await read(rows.at(-1))) yield rows.map(toRow);
}

/** The revision of an object that has none: it changes with the values. */
export const digestValues = (values: RowValues): string =>
  digestRevision(JSON.stringify(Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1))));
