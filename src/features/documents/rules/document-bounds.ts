// Decides from when until when a document lasts, and whether it is finished.

import { maxDocumentMs } from './document-limits.ts';
import type { DocumentHead } from './document-table.ts';

/** The setting whose writes mark a document. */
export const cycleSetting = 'Cycle';
/** Its value at the end of a run. */
export const terminalCycle = 'End';

/** The equipment may send a little of a document after its end. */
const completionDelayMs = 120_000;

export type DocumentMarks = {
  /** Of the tagged Cycles, MS2000. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** One of them is terminal. */
  readonly hasEnded: boolean;
  /** Up to then the equipment has sent everything; null where it has never said so. */
  readonly syncedAt: number | null;
  /** The first Cycle of the unit after the last one that has the tag of another document. */
  readonly nextAt: number | null;
};

export type DocumentBounds = Pick<DocumentHead, 'fromMs2000' | 'throughMs2000' | 'finished'>;

/**
 * A document without a terminal Cycle goes on as far as its unit has sent something, but not into the next document, and
 * no longer than a document may last: its machine may have lost its power for ever.
 */
export function createDocumentBounds({ firstAt, lastAt, hasEnded, syncedAt, nextAt }: DocumentMarks): DocumentBounds {
  const bounds = { fromMs2000: firstAt, throughMs2000: lastAt };
  if (hasEnded) return { ...bounds, finished: syncedAt !== null && syncedAt >= lastAt + completionDelayMs };
  const openThrough = Math.min(nextAt === null ? Infinity : nextAt - 1, firstAt + maxDocumentMs);
  const sentThrough = Math.min(syncedAt ?? lastAt, openThrough);
  return { ...bounds, throughMs2000: Math.max(lastAt, sentThrough), finished: false };
}
