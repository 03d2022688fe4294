// Brings the answers of a kind's step to the rows that they are about.

import type { Answers } from '../import-kind.ts';

/** Each row with its answer, in the order of the rows. */
export const answerEach = <Row, Answer>(
  rows: readonly Row[],
  answers: Answers<Row, Answer> | readonly Answer[],
): ReadonlyMap<Row, Answer> =>
  new Map(rows.map((row, index) => [row, typeof answers === 'function' ? answers(row) : answers[index]!]));

/** The answers of a step that has made them one after another. */
export const answersOf =
  <Row, Answer>(made: ReadonlyMap<Row, Answer>): Answers<Row, Answer> =>
  (row) => {
    const answer = made.get(row);
    if (answer === undefined) throw new Error('a step of an import has no answer for a row');
    return answer;
  };
