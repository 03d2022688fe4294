// Puts a bank's account together, period by period, and cuts it into batches that are recorded at once. How many
// postings there are in all is given; what is not fixed is everyday life, spread over the periods by their length.

import type { PostingDraft } from '../../features/account/ledger.ts';
import type { Span } from '../calendar.ts';
import { seededRandom, type Random } from '../random.ts';
import { everyday } from './everyday.ts';
import { atBeginning, atEnd } from './monthly.ts';
import type { Scene, Step } from './scene.ts';
import { showcase } from './showcase.ts';
import type { Documents } from './visits.ts';

/** Postings of one period; `closes` ends that period after them. */
export type Batch = { readonly firstId: number; readonly drafts: PostingDraft[]; readonly closes: number | undefined };

const batchPostings = 10_000;

export function* batchesOf(scene: Scene, total: number): Generator<Batch> {
  const idOf = new Map<string, number>();
  const open = scene.periods.length - 1;
  let nextId = 1;
  let drafts: PostingDraft[] = [];
  const cut = (closes?: number): Batch => {
    const batch = { firstId: nextId - drafts.length, drafts, closes };
    drafts = [];
    return batch;
  };
  for (const [period, steps] of stepsOf(scene, total).entries()) {
    for (const step of steps) {
      if (nextId > total) break;
      drafts.push(linked(step, nextId, idOf));
      nextId += 1;
      if (drafts.length === batchPostings) yield cut();
    }
    yield cut(period === open ? undefined : scene.periods[period]?.to);
  }
}

// A line is named only until it was taken back, so that the map does not grow with the account.
function linked({ mark, reverses, ...draft }: Step, id: number, idOf: Map<string, number>): PostingDraft {
  if (mark !== undefined) idOf.set(mark, id);
  if (reverses === undefined) return draft;
  const reversalOf = idOf.get(reverses);
  idOf.delete(reverses);
  if (reversalOf === undefined) throw new Error(`nothing bears the mark ${reverses}`);
  return { ...draft, reversalOf };
}

/** For each period the postings recorded in it; everyday life is made while it is read. */
function stepsOf(scene: Scene, total: number): Iterable<Step>[] {
  const random = (what: string): Random => seededRandom(`${scene.tenant.name}/${scene.bank.bankId}/${what}`);
  const { periods } = scene;
  const [months, days] = [random('months'), random('days')];
  const cases = showcase(scene, random('showcase'));
  const beginnings = periods.map((span, at) => (at === 0 ? [] : atBeginning(scene, span, months)));
  const ends = periods.map((span, at) => (at === periods.length - 1 ? [] : atEnd(scene, span, months)));
  const fixed = cases.length + beginnings.flat().length + ends.flat().length;
  const counts = shares(periods, Math.max(0, total - fixed));
  const documents = documentNumbers();
  const play = function* (span: Span, at: number): Generator<Step> {
    yield* beginnings[at] ?? [];
    yield* everyday(scene, span, counts[at] ?? 0, days, documents);
    yield* ends[at] ?? [];
    for (const { period, step } of cases) if (period === at) yield step;
  };
  return periods.map(play);
}

function documentNumbers(): Documents {
  let last = 5000;
  return {
    next: () => {
      last += 1;
      return last;
    },
  };
}

/** Shares a number out by length, so that every part is whole and they add up. */
function shares(spans: readonly Span[], total: number): number[] {
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
