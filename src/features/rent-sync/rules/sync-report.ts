// What became of a file of a synchronised folder, for programs and for people. Pure.

import { tenantOfKid } from '../../../lib/kid.ts';
import type { Import, ImportRow } from '../../imports/schemas.ts';
import type { Reason } from './sync-decisions.ts';

export type SyncResult = 'applied' | 'unchanged' | 'applied-before' | 'failed';

type ReportedRow = {
  readonly line: number;
  readonly key: string;
  readonly field: string;
  readonly code: string;
  readonly text: string;
};

type ReportedFile = {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly result: SyncResult;
  /** Null unless the result is `failed`. */
  readonly reason: Reason | null;
  readonly reportedUtc: string;
};

type ReportedImport = Pick<
  Import,
  'kid' | 'kind' | 'bankKid' | 'source' | 'state' | 'counts' | 'outcomes' | 'missing' | 'allowPartial' | 'changedUtc'
>;

export type SyncReport = ReportedFile & {
  readonly import: ReportedImport | null;
  /** What is wrong with rows that were not applied; of very many, the first ones. */
  readonly rows: readonly ReportedRow[];
  readonly hasMoreRows: boolean;
};

export const maxReportedRows = 1000;

export function createSyncReport(file: ReportedFile, imported: Import | null, rows: readonly ImportRow[]): SyncReport {
  const reported = rows.flatMap(({ line, key, errors }) => errors.map((error) => ({ line, key, ...error })));
  return {
    ...file,
    import: imported === null ? null : pickImport(imported),
    rows: reported.slice(0, maxReportedRows),
    hasMoreRows: reported.length > maxReportedRows,
  };
}

const pickImport = (imported: Import): ReportedImport => {
  const { kid, kind, bankKid, source, state, counts, outcomes, missing, allowPartial, changedUtc } = imported;
  return { kid, kind, bankKid, source, state, counts, outcomes, missing, allowPartial, changedUtc };
};

const headlines: Readonly<Record<SyncResult, string>> = {
  applied: 'The file was applied.',
  unchanged: 'The file changes nothing: all is as it says already.',
  'applied-before': 'A file with the same bytes was applied before. Nothing was applied again.',
  failed: 'The file was not applied.',
};

export function formatSyncReport(report: SyncReport): string {
  const { file, bytes, sha256, result, reason, import: imported, rows, hasMoreRows, reportedUtc } = report;
  const lines = [`File: ${JSON.stringify(file)} (${bytes} bytes, SHA-256 ${sha256})`, headlines[result]];
  if (reason !== null) lines.push(`Reason: ${reason.text} (${reason.code})`);
  if (imported !== null) lines.push(...formatImport(imported));
  if (rows.length > 0) lines.push('', 'Rows that were not applied:');
  for (const { line, key, code, text } of rows)
    lines.push(`line ${line}, key ${JSON.stringify(key)}: ${text} (${code})`);
  if (hasMoreRows) lines.push('There are more: GetImportRows lists all of them.');
  lines.push('', `Written at ${reportedUtc}.`);
  return `${lines.join('\n')}\n`;
}

const formatImport = ({ kid, kind, bankKid, state, changedUtc, counts, outcomes }: ReportedImport): string[] => [
  `Import: ${kid}, ${kind}${bankKid === null ? '' : ` of ${bankKid}`}, ${state} since ${changedUtc}`,
  `Plan: ${formatCounts(counts)}`,
  `Done: ${formatCounts(outcomes)}`,
  ...(state === 'planned'
    ? [`The plan is kept. "portal import apply ${kid} --tenant ${tenantOfKid(kid)}" applies it all the same.`]
    : []),
];

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
