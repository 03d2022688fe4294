// Rows of a known number, batch by batch: while one is used, the next is under way.

type Source<T> = {
  readonly first: readonly T[];
  /** Of all of them. */
  readonly count: number;
  next(last: T): Promise<readonly T[]>;
};

/** Throws at the end where the rows came to another number than was known: what was made of them is no whole then. */
export async function* countedBatches<T>({ first, count, next }: Source<T>): AsyncGenerator<readonly T[]> {
  let passed = 0;
  for (let rows = first; rows.length > 0;) {
    passed += rows.length;
    const last = rows.at(-1);
    const following = last === undefined || passed >= count ? [] : next(last);
    // Whoever uses them may stop here, and then nobody waits for it.
    if (following instanceof Promise) following.catch(() => {});
    yield rows;
    rows = await following;
  }
  if (passed !== count) throw new Error(`there are ${passed} rows in place of ${count}`);
}
