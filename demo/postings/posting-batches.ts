// Generates a bank's postings, period by period, in batches that are each recorded in one transaction. The total number
// is given; everyday postings fill it up, spread over the periods by their length.

import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import type { Span } from '../calendar.ts';
import { createSeededRandom, type Random } from '../random.ts';
import { generateEverydayPostings } from './everyday-postings.ts';
import { generatePeriodStart, generatePeriodEnd } from './period-postings.ts';
import type { LedgerScenario, PlannedPosting } from './ledger-scenario.ts';
import { createSpecialCases } from './special-cases.ts';
import type { DocumentNumbers } from './resident-activity.ts';

/** Postings of one period; `closes` ends that period after them. */
export type PostingBatch = {
  readonly firstId: number;
  readonly drafts: PostingDraft[];
  readonly closes: number | undefined;
};

const maxPostingsPerBatch = 10_000;

export function* generateBatches(scenario: LedgerScenario, total: number): Generator<PostingBatch> {
  const idOf = new Map<string, number>();
  const open = scenario.periods.length - 1;
  let nextId = 1;
  let drafts: PostingDraft[] = [];
  const takeBatch = (closes?: number): PostingBatch => {
    const batch = { firstId: nextId - drafts.length, drafts, closes };
    drafts = [];
    return batch;
  };
  for (const [period, steps] of generatePeriods(scenario, total).entries()) {
    for (const step of steps) {
      if (nextId > total) break;
      drafts.push(resolveReversal(step, nextId, idOf));
      nextId += 1;
      if (drafts.length === maxPostingsPerBatch) yield takeBatch();
    }
    yield takeBatch(period === open ? undefined : scenario.periods[period]?.to);
  }
}

// A label is deleted once its posting is reversed, so that the map does not grow with the account.
function resolveReversal(
  { label, reversesLabel, ...draft }: PlannedPosting,
  id: number,
  idOf: Map<string, number>,
): PostingDraft {
  if (label !== undefined) idOf.set(label, id);
  if (reversesLabel === undefined) return draft;
  const reversalOf = idOf.get(reversesLabel);
  idOf.delete(reversesLabel);
  if (reversalOf === undefined) throw new Error(`nothing bears the mark ${reversesLabel}`);
  return { ...draft, reversalOf };
}

/** The postings recorded in each period. Everyday postings are generated while they are read. */
function generatePeriods(scenario: LedgerScenario, total: number): Iterable<PlannedPosting>[] {
  const random = (what: string): Random =>
    createSeededRandom(`${scenario.tenant.name}/${scenario.bank.bankId}/${what}`);
  const { periods } = scenario;
  const [months, days] = [random('months'), random('days')];
  const cases = createSpecialCases(scenario, random('showcase'));
  const beginnings = periods.map((span, index) => (index === 0 ? [] : generatePeriodStart(scenario, span, months)));
  const ends = periods.map((span, index) =>
    index === periods.length - 1 ? [] : generatePeriodEnd(scenario, span, months),
  );
  const fixed = cases.length + beginnings.flat().length + ends.flat().length;
  const counts = distributeByLength(periods, Math.max(0, total - fixed));
  const documents = createDocumentNumbers();
  const generatePeriod = function* (span: Span, index: number): Generator<PlannedPosting> {
    yield* beginnings[index] ?? [];
    yield* generateEverydayPostings(scenario, span, counts[index] ?? 0, days, documents);
    yield* ends[index] ?? [];
    for (const { period, step } of cases) if (period === index) yield step;
  };
  return periods.map(generatePeriod);
}

function createDocumentNumbers(): DocumentNumbers {
  let last = 5000;
  return {
    next: () => {
      last += 1;
      return last;
    },
  };
}

/** Divides a number in proportion to lengths, into whole numbers that add up to it. */
function distributeByLength(spans: readonly Span[], total: number): number[] {
  const length = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  let passed = 0;
  let given = 0;
  return spans.map(({ from, to }) => {
    passed += to - from;
    const share = Math.round((total * passed) / length) - given;
    given += share;
    return share;
  });
}
