// Brings the answers of a kind's step to the rows that they are about.

import type { Answers, ApplicableRow, AppliedRow, RowError } from '../import-kind.ts';

/** Each row with its answer, in the order of the rows. */
export const answerEach = <Row, Answer>(
  rows: readonly Row[],
  answers: Answers<Row, Answer>,
): ReadonlyMap<Row, Answer> => new Map(rows.map((row) => [row, answers(row)]));

/** Each row with the answer of a step, which is not asked about no rows. */
export const runStep = async <Row, Answer>(
  rows: readonly Row[],
  step: (rows: readonly Row[]) => Promise<Answers<Row, Answer>>,
): Promise<ReadonlyMap<Row, Answer>> => (rows.length === 0 ? new Map() : answerEach(rows, await step(rows)));

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

/** What a row of what never changes becomes, or why it becomes nothing. */
export type Decision<Draft> = { readonly draft: Draft } | { readonly errors: readonly RowError[] };

/** What each of the rows becomes, and the drafts of all of them in their order. */
export function decideEach<Row, Draft>(rows: readonly Row[], decide: Answers<Row, Decision<Draft>>) {
  const decisions = answerEach(rows, decide);
  const drafts = [...decisions.values()].flatMap((decision) => ('draft' in decision ? [decision.draft] : []));
  return { decisionOf: answersOf(decisions), drafts };
}

/** Objects that there are stay as they are; `toApplied` says what became of a draft. */
export const answerDrafts =
  <Draft>(
    decisionOf: Answers<ApplicableRow, Decision<Draft>>,
    toApplied: (draft: Draft) => AppliedRow,
  ): Answers<ApplicableRow, AppliedRow> =>
  (row) => {
    if (row.current !== null) return keepApplied(row);
    const decision = decisionOf(row);
    return 'errors' in decision ? decision : toApplied(decision.draft);
  };
