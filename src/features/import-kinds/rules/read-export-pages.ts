// Reads the rows of an export page by page.

/** The pages after each other: `read` gets the last row of the page before, and returns none when there are no more. */
export async function* readExportPages<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  do {
    const rows = await read(last);
    last = rows.at(-1);
    if (last !== undefined) yield rows;
  } while (last !== undefined);
}
