// Everyday life in a bank: as many lines as asked for, in the order of time, made one by one so that a million of them
// need no room.

import { dayMs, type Span } from '../calendar.ts';
import type { Random } from '../random.ts';
import type { LedgerScenario, PlannedPosting } from './ledger-scenario.ts';
import { generateActivity, type DocumentNumbers } from './resident-activity.ts';

export function* generateEverydayPostings(
  scene: LedgerScenario,
  span: Span,
  count: number,
  random: Random,
  documents: DocumentNumbers,
): Generator<PlannedPosting> {
  let done = 0;
  while (done < count) {
    const at = instantAtShare(span, (done + random.next()) / count);
    for (const step of generateActivity(scene, at, random, documents)) {
      if (done === count) return;
      done += 1;
      yield step.recordedAt < span.to ? step : { ...step, recordedAt: span.to - 1 };
    }
  }
}

/** A share of the span -> an instant; of any day, most falls between 6 and 22 o'clock. */
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
