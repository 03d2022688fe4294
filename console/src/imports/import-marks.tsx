// The states of imports and of their rows, as marks.

import type { JSX } from 'react';
import type { ImportAction, ImportOutcome, ImportState } from '../api/operations.ts';
import { Mark } from '../components/page.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

type Shown = { readonly text: TextKey; readonly tone: 'ok' | 'warn' | 'bad' | 'plain' };

export const importStates: Readonly<Record<ImportState, Shown>> = {
  planning: { text: 'import.planning', tone: 'plain' },
  planned: { text: 'import.planned', tone: 'plain' },
  applying: { text: 'import.applying', tone: 'plain' },
  applied: { text: 'import.applied', tone: 'ok' },
  undoing: { text: 'import.undoing', tone: 'plain' },
  undone: { text: 'import.undone', tone: 'plain' },
  failed: { text: 'import.failed', tone: 'bad' },
  cancelled: { text: 'import.cancelled', tone: 'warn' },
};

export const importActions: Readonly<Record<ImportAction, Shown>> = {
  create: { text: 'import.create', tone: 'ok' },
  update: { text: 'import.update', tone: 'ok' },
  unchanged: { text: 'import.unchanged', tone: 'plain' },
  missing: { text: 'import.missing', tone: 'warn' },
  refused: { text: 'import.refused', tone: 'bad' },
};

export const importOutcomes: Readonly<Record<ImportOutcome, Shown>> = {
  applied: { text: 'import.rowApplied', tone: 'ok' },
  stale: { text: 'import.rowStale', tone: 'warn' },
  failed: { text: 'import.rowFailed', tone: 'bad' },
  undone: { text: 'import.rowUndone', tone: 'plain' },
  kept: { text: 'import.rowKept', tone: 'warn' },
};

/** Whether rows are being done: it will have changed soon. */
export const isRunning = (state: ImportState): boolean =>
  state === 'planning' || state === 'applying' || state === 'undoing';

export function ImportMark({ of: { text, tone } }: { readonly of: Shown }): JSX.Element {
  const { t } = useLanguage();
  return <Mark tone={tone}>{t(text)}</Mark>;
}
