// Refuses a document with too many or too long samples before they are read, because they would take too much memory.

import { Problem } from '../../../lib/problem.ts';
import { documentLimits } from './document-limits.ts';

/** The database's counts of samples, up to one more than the limit. */
export type SampleTotals = {
  readonly samples: number;
  /** In Unicode code points, of which a text has no more than UTF-16 code units. */
  readonly longestValue: number;
  readonly characters: number;
};

/** Throws the Problem `document-too-large`. A document that passes can still be slightly too large. */
export function checkSampleTotals({ samples, longestValue, characters }: SampleTotals): void {
  if (samples > documentLimits.samples) throw refuse(`more than ${documentLimits.samples} samples`);
  if (longestValue > documentLimits.valueCharacters)
    throw refuse(`a value of more than ${documentLimits.valueCharacters} characters`);
  if (characters > documentLimits.characters) throw refuse(`more than ${documentLimits.characters} characters`);
}

const refuse = (what: string): Problem =>
  new Problem('document-too-large', { detail: `The document has ${what}: select fewer fields.` });
