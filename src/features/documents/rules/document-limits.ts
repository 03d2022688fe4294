// Limits the size of a document. A larger one is refused, not truncated.

import { Problem } from '../../../lib/problem.ts';
import type { DocumentHead, DocumentSamples } from './document-table.ts';
import { dayMs } from '../../../lib/time/durations.ts';

/** Characters are UTF-16 code units, as JavaScript, .NET and Excel count them. */
export const documentLimits = {
  days: 31,
  columns: 128,
  samples: 50_000,
  cells: 500_000,
  valueCharacters: 16_384,
  characters: 8_000_000,
} as const;

export const maxDocumentMs = documentLimits.days * dayMs;

/** Throws the Problem `document-too-large` for the first limit that is exceeded. */
export function checkDocumentSize(head: DocumentHead, samples: DocumentSamples): void {
  const { columns } = head;
  checkHeadSize(head);
  checkCount('samples', samples.ms2000.length);
  checkCount('cells', countRows(samples) * columns.length);
  checkTexts(samples.texts);
}

/** The limits that are known before any sample is read. */
export function checkHeadSize({ fromMs2000, throughMs2000, columns }: DocumentHead): void {
  if (throughMs2000 - fromMs2000 > maxDocumentMs) throw refuse(`lasts longer than ${documentLimits.days} days`);
  checkCount('columns', columns.length);
}

function checkTexts(texts: DocumentSamples['texts']): void {
  let total = 0;
  for (const text of texts) {
    if (text === null) continue;
    if (text.length > documentLimits.valueCharacters)
      throw refuse(`has a value of ${text.length} characters; the limit is ${documentLimits.valueCharacters}`);
    total += text.length;
  }
  checkCount('characters', total);
}

/** The number of different times. */
function countRows({ ms2000 }: DocumentSamples): number {
  let rows = 0;
  for (let index = 0; index < ms2000.length; index += 1)
    if (index === 0 || ms2000[index] !== ms2000[index - 1]) rows += 1;
  return rows;
}

function checkCount(name: 'columns' | 'samples' | 'cells' | 'characters', count: number): void {
  if (count > documentLimits[name]) throw refuse(`has ${count} ${name}; the limit is ${documentLimits[name]}`);
}

const refuse = (what: string): Problem => new Problem('document-too-large', { detail: `The document ${what}.` });
