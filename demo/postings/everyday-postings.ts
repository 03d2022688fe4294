// Generates the everyday postings of a bank in order of time, one by one, so that a million of them take no memory.

import { type Span } from '../calendar.ts';
import type { Random } from '../random.ts';
import type { LedgerScenario, PlannedPosting } from './ledger-scenario.ts';
import { generateActivity, type DocumentNumbers } from './resident-activity.ts';
import { dayMs } from '../../src/lib/time/durations.ts';

export function* generateEverydayPostings(
  scenario: LedgerScenario,
  span: Span,
  count: number,
  random: Random,
  documents: DocumentNumbers,
): Generator<PlannedPosting> {
  let done = 0;
  while (done < count) {
    const usedAt = instantAtShare(span, (done + random.next()) / count);
    for (const step of generateActivity(scenario, usedAt, random, documents)) {
      if (done === count) return;
      done += 1;
      yield step.recordedAt < span.to ? step : { ...step, recordedAt: span.to - 1 };
    }
  }
}

/** The instant at a share of the span. Most instants of a day are between 6:00 and 22:00. */
function instantAtShare({ from, to }: Span, share: number): number {
  const even = from + Math.floor(share * (to - from));
  const midnight = even - ((even - from) % dayMs);
  const shaped = midnight + Math.floor(hourAtShare((even - midnight) / dayMs) * (dayMs / 24));
  return shaped < to ? shaped : even;
}

function hourAtShare(share: number): number {
  if (share < 0.05) return (share / 0.05) * 6;
  if (share < 0.95) return 6 + ((share - 0.05) / 0.9) * 16;
  return 22 + ((share - 0.95) / 0.05) * 2;
}
