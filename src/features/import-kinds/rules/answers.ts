// Brings the answers of a kind's step to the rows that they are about.

import type { Answers, ApplicableRow, AppliedRow } from '../import-kind.ts';

/** Each row with its answer, in the order of the rows. */
export const answerEach = <Row, Answer>(
  rows: readonly Row[],
  answers: Answers<Row, Answer>,
): ReadonlyMap<Row, Answer> => new Map(rows.map((row) => [row, answers(row)]));

/** Each row with the answer of a step, which is not asked about no rows. */
export const askStep = async <Row, Answer>(
  rows: readonly Row[],
  step: (rows: readonly Row[]) => Promise<Answers<Row, Answer>>,
): Promise<ReadonlyMap<Row, Answer>> => (rows.length === 0 ? new Map() : answerEach(rows, await step(rows)));

/** Each row with the item that stands in its place in a list of as many. */
export function zipRows<Row, Item>(rows: readonly Row[], items: readonly Item[]): ReadonlyMap<Row, Item> {
  if (rows.length !== items.length) throw new Error('There are not as many items as rows.');
  return new Map(rows.map((row, index) => [row, items[index] as Item]));
}

/** The answers of a step that has made them one after another. */
export const answersOf =
  <Row, Answer>(made: ReadonlyMap<Row, Answer>): Answers<Row, Answer> =>
  (row) => {
    const answer = made.get(row);
    if (answer === undefined) throw new Error('A step of an import has no answer for a row.');
    return answer;
  };

/** Answers that are made at once, in the order of the rows, and are asked for later. */
export const answerNow = <Row, Answer>(rows: readonly Row[], answers: Answers<Row, Answer>): Answers<Row, Answer> =>
  answersOf(answerEach(rows, answers));

/** Answers that are made one after another, each when the one before is there. */
export async function answerInTurn<Row, Answer>(
  rows: readonly Row[],
  answer: (row: Row) => Promise<Answer>,
): Promise<Answers<Row, Answer>> {
  const made = new Map<Row, Answer>();
  for (const row of rows) made.set(row, await answer(row));
  return answersOf(made);
}

/** Nothing of the object has changed: only the source gets to know its key. */
export const keepApplied = ({ objectKid, current }: ApplicableRow): AppliedRow => ({
  objectKid: objectKid ?? '',
  revision: current?.revision ?? '',
});
