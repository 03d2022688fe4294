// Measures how fast postings are imported into a ledger, against a bare insert of the same rows with the same indexes, and
// how much memory that takes.

import { reportComparison, reportFigure } from './support/measure.ts';
import { postingsKind } from '../src/features/import-kinds/postings/postings.ts';
import { startNode } from './support/processes.ts';

const { batchRows: batch } = postingsKind;

type ImportFigures = {
  readonly seconds: number;
  /** Of applying the rows and committing them, without finding out what there is of them. */
  readonly applySeconds: number;
  /** Seconds in which 95 of 100 transactions ended: so long other writers of the bank wait. */
  readonly p95: number;
  readonly longest: number;
  readonly bareSeconds: number;
  readonly megabytes: number;
  readonly differences: number;
};

export async function benchmarkImportPostings(postings: number): Promise<void> {
  const few = await importInProcess(10_000);
  reportFigure('Most megabytes held while 10,000 postings are imported', few.megabytes, { most: 450 });
  const { seconds, applySeconds, bareSeconds, p95, longest, megabytes, differences } = await importInProcess(postings);
  const base = postings / bareSeconds;
  const compared = { ratio: bareSeconds / applySeconds, subject: postings / applySeconds, base };
  reportComparison('Postings applied a second, against a bare insert', compared, { least: 0.5 });
  reportFigure(`Seconds to import ${postings.toLocaleString('en')} postings`, seconds, { most: 60e-6 * postings });
  reportFigure('p95 of the transactions of an import, ms', p95 * 1000, { most: 250 });
  reportFigure('The longest of them, ms', longest * 1000, { most: 250 });
  reportFigure('Most megabytes held while they are imported', megabytes, { most: 600 });
  reportFigure('Differences that verify ledger finds', differences, { most: 0 });
}

/** In a process of its own, whose memory is measured. */
async function importInProcess(postings: number): Promise<ImportFigures> {
  const importer = await startNode('bench/support/import-postings.ts', [String(postings), String(batch)], {});
  await importer.stop();
  return importer.line as ImportFigures;
}
