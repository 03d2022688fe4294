// The states of imports and of their rows, in the reader's words.

import type { ImportAction, ImportOutcome, ImportState } from '../api/operations.ts';
import type { StateTexts } from '../components/state-mark.tsx';

export const importStates: StateTexts<ImportState> = {
  planning: { text: 'import.planning', tone: 'plain' },
  planned: { text: 'import.planned', tone: 'plain' },
  applying: { text: 'import.applying', tone: 'plain' },
  applied: { text: 'import.applied', tone: 'ok' },
  undoing: { text: 'import.undoing', tone: 'plain' },
  undone: { text: 'import.undone', tone: 'plain' },
  failed: { text: 'import.failed', tone: 'bad' },
  cancelled: { text: 'import.cancelled', tone: 'warn' },
};

export const importActions: StateTexts<ImportAction> = {
  create: { text: 'import.create', tone: 'ok' },
  update: { text: 'import.update', tone: 'ok' },
  unchanged: { text: 'import.unchanged', tone: 'plain' },
  missing: { text: 'import.missing', tone: 'warn' },
  refused: { text: 'import.refused', tone: 'bad' },
};

export const importOutcomes: StateTexts<ImportOutcome> = {
  applied: { text: 'import.rowApplied', tone: 'ok' },
  stale: { text: 'import.rowStale', tone: 'warn' },
  failed: { text: 'import.rowFailed', tone: 'bad' },
  undone: { text: 'import.rowUndone', tone: 'plain' },
  kept: { text: 'import.rowKept', tone: 'warn' },
};

/** Whether rows are being done: it will have changed soon. */
export const isRunning = (state: ImportState): boolean =>
  state === 'planning' || state === 'applying' || state === 'undoing';
