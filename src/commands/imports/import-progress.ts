// Shows how far an import has come: a bar on a terminal, else a line now and then, and nothing for machines.

import { readByOperator, type OperatorImports } from '../../features/imports/commands/import-by-operator.ts';
import type { Import } from '../../features/imports/schemas.ts';

type Progress = { readonly end: () => void };

const terminalIntervalMs = 250;
const lineIntervalMs = 5000;
const barWidth = 30;

export function createProgress(
  operator: OperatorImports,
  importId: number,
  { json = false }: { readonly json?: boolean },
): Progress {
  const isTerminal = process.stderr.isTTY && !json;
  let isReading = false;
  const show = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    // The import itself reports what keeps it from being read.
    const imported = await readByOperator(operator, importId).catch(() => undefined);
    isReading = false;
    if (imported !== undefined) process.stderr.write(isTerminal ? formatBar(imported) : formatLine(imported));
  };
  const timer = json ? undefined : setInterval(() => void show(), isTerminal ? terminalIntervalMs : lineIntervalMs);
  return {
    end: () => {
      clearInterval(timer);
      if (isTerminal) process.stderr.write('\r\u001B[K');
    },
  };
}

/** The rows that are done, of those that there are to do. */
function countRows({ state, counts, outcomes }: Import): { readonly done: number; readonly total: number } {
  if (state === 'undoing' || state === 'undone')
    return { done: outcomes.undone + outcomes.kept, total: outcomes.applied };
  const done = outcomes.applied + outcomes.stale + outcomes.failed;
  return { done, total: counts.create + counts.update + counts.missing };
}

function formatBar(imported: Import): string {
  const { done, total } = countRows(imported);
  const filled = Math.floor((done / Math.max(1, total)) * barWidth);
  return `\r[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}] ${done} of ${total}`;
}

function formatLine(imported: Import): string {
  const { done, total } = countRows(imported);
  return `${imported.kid}: ${done} of ${total} rows\n`;
}
