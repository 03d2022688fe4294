// Decides when a document starts and ends, and whether it is finished.

import { maxDocumentMs } from './document-limits.ts';
import type { DocumentHead } from './document-table.ts';

/** The setting whose writes mark a document. */
export const cycleSetting = 'Cycle';
/** The value of the setting at the end of a run. */
export const terminalCycle = 'End';

/** The equipment can send samples of a document shortly after its end. */
const completionDelayMs = 120_000;

export type DocumentCycles = {
  /** The times of the first and the last tagged Cycle, MS2000. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Whether one of them is terminal. */
  readonly hasEnded: boolean;
  /** The time up to which the equipment has sent everything; null if it was never synchronised. */
  readonly syncedAt: number | null;
  /** The first Cycle of the unit after the last one that has the tag of another document. */
  readonly nextAt: number | null;
};

export type DocumentBounds = Pick<DocumentHead, 'fromMs2000' | 'throughMs2000' | 'finished'>;

/**
 * Whether nothing can be added to a document but late reports. Managers write settings at the service's time, so they can
 * still write into a finished document if the clock of the equipment is fast.
 */
export const isPast = ({ finished, throughMs2000 }: DocumentBounds, now: number): boolean =>
  finished && throughMs2000 + completionDelayMs <= now;

/**
 * A document without a terminal Cycle lasts until its unit's last synchronisation, but not into the next document and
 * no longer than the limit, because its machine can have lost power before the end.
 */
export function createDocumentBounds({ firstAt, lastAt, hasEnded, syncedAt, nextAt }: DocumentCycles): DocumentBounds {
  const bounds = { fromMs2000: firstAt, throughMs2000: lastAt };
  if (hasEnded) return { ...bounds, finished: syncedAt !== null && syncedAt >= lastAt + completionDelayMs };
  const openThrough = Math.min(nextAt === null ? Infinity : nextAt - 1, firstAt + maxDocumentMs);
  const sentThrough = Math.min(syncedAt ?? lastAt, openThrough);
  return { ...bounds, throughMs2000: Math.max(lastAt, sentThrough), finished: false };
}
