// Cuts long lists into parts, such as the values of a statement.

/** A statement lists at most so many values: more are no faster, and the engines allow only so many. */
export const listedValues = 1000;

/** The values in their order, in parts of at most so many. */
export function* partsOf<T>(values: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < values.length; from += size) yield values.slice(from, from + size);
}
