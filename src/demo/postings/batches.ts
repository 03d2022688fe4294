// Puts a bank's account together, period by period, and cuts it into batches that are recorded at once. How many
// postings there are in all is given; what is not fixed is everyday life, spread over the periods by their length.

import type { PostingDraft } from '../../features/account/rules/posting-draft.ts';
import type { Span } from '../calendar.ts';
import { createSeededRandom, type Random } from '../random.ts';
import { generateEverydayPostings } from './everyday.ts';
import { generatePeriodStart, generatePeriodEnd } from './monthly.ts';
import type { LedgerScenario, PlannedPosting } from './ledger-scenario.ts';
import { createShowcase } from './showcase.ts';
import type { DocumentNumbers } from './resident-activity.ts';

/** Postings of one period; `closes` ends that period after them. */
export type PostingBatch = {
  readonly firstId: number;
  readonly drafts: PostingDraft[];
  readonly closes: number | undefined;
};

const maxPostingsPerBatch = 10_000;

export function* generateBatches(scene: LedgerScenario, total: number): Generator<PostingBatch> {
  const idOf = new Map<string, number>();
  const open = scene.periods.length - 1;
  let nextId = 1;
  let drafts: PostingDraft[] = [];
  const takeBatch = (closes?: number): PostingBatch => {
    const batch = { firstId: nextId - drafts.length, drafts, closes };
    drafts = [];
    return batch;
  };
  for (const [period, steps] of generatePeriods(scene, total).entries()) {
    for (const step of steps) {
      if (nextId > total) break;
      drafts.push(resolveReversal(step, nextId, idOf));
      nextId += 1;
      if (drafts.length === maxPostingsPerBatch) yield takeBatch();
    }
    yield takeBatch(period === open ? undefined : scene.periods[period]?.to);
  }
}

// A line is named only until it was taken back, so that the map does not grow with the account.
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

/** For each period the postings recorded in it; everyday life is made while it is read. */
function generatePeriods(scene: LedgerScenario, total: number): Iterable<PlannedPosting>[] {
  const random = (what: string): Random => createSeededRandom(`${scene.tenant.name}/${scene.bank.bankId}/${what}`);
  const { periods } = scene;
  const [months, days] = [random('months'), random('days')];
  const cases = createShowcase(scene, random('showcase'));
  const beginnings = periods.map((span, at) => (at === 0 ? [] : generatePeriodStart(scene, span, months)));
  const ends = periods.map((span, at) => (at === periods.length - 1 ? [] : generatePeriodEnd(scene, span, months)));
  const fixed = cases.length + beginnings.flat().length + ends.flat().length;
  const counts = distributeByLength(periods, Math.max(0, total - fixed));
  const documents = createDocumentNumbers();
  const generatePeriod = function* (span: Span, at: number): Generator<PlannedPosting> {
    yield* beginnings[at] ?? [];
    yield* generateEverydayPostings(scene, span, counts[at] ?? 0, days, documents);
    yield* ends[at] ?? [];
    for (const { period, step } of cases) if (period === at) yield step;
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

/** Shares a number out by length, so that every part is whole and they add up. */
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
