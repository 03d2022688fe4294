// The states of an import, the actions of its rows, and what became of them.

export const importStates = [
  'planning',
  'planned',
  'applying',
  'applied',
  'undoing',
  'undone',
  'failed',
  'cancelled',
] as const;
export type ImportState = (typeof importStates)[number];

/** Whether something is being done with the import: it goes on by itself. */
export const isAtWork = (state: ImportState): boolean =>
  state === 'planning' || state === 'applying' || state === 'undoing';

/** Milliseconds that the rows of an import are kept after its last change, to be looked at and undone. */
export const planKeptMs = 90 * 24 * 3600 * 1000;
/** Clocks of several processes differ: nothing is deleted that one of them still undoes. */
const clockMarginMs = 3_600_000;

/** The instant (MS2000) before which an import was changed last whose rows are deleted. */
export const planDeletedBefore = (now: number): number => now - planKeptMs - clockMarginMs;

type EndedImport = { readonly state: string; readonly applied: number; readonly changed_at: number };

/** Whether the rows of an import are deleted: it ended long ago, or was cancelled before it changed anything. */
export const isPlanOver = ({ state, applied, changed_at }: EndedImport, now: number): boolean =>
  !isAtWork(state as ImportState) &&
  (changed_at < planDeletedBefore(now) || (state === ('cancelled' satisfies ImportState) && applied === 0));

export const rowActions = ['create', 'update', 'unchanged', 'missing', 'refused'] as const;
export type RowAction = (typeof rowActions)[number];

/**
 * applied: done. stale: its object has changed since the plan. failed: it could not be done. undone: taken back. kept: it
 * could not be taken back.
 */
export const rowOutcomes = ['applied', 'stale', 'failed', 'undone', 'kept'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

export const missingActions = ['keep', 'deactivate'] as const;
export type MissingAction = (typeof missingActions)[number];

/** The actions whose rows change something. */
export const changingActions = ['create', 'update', 'missing'] as const satisfies readonly RowAction[];

/** Longer than a batch takes. After that time nobody works on an import any more who said so. */
export const leaseMs = 30_000;
/** The lease of a plan until the next batch of its rows has arrived. */
export const planLeaseMs = 600_000;

/**
 * All or nothing is one transaction, which others wait for. A marker that hides unfinished rows instead would have to be
 * looked at by every query over what was imported.
 */
export const maxAtomicRows = 5000;

/** A full file that lacks more than this share of the objects that it used to have is more likely to be cut off. */
const maxMissingShare = 0.05;

/** Whether so many objects are missing that whoever applies the plan has to say how many are expected. */
export const needsExpectedMissing = (missing: number, known: number): boolean => missing > known * maxMissingShare;
