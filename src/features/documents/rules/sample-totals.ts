// Refuses a document whose samples are too many or too long before they are read: they would take too much memory.

import { Problem } from '../../../lib/problem.ts';
import { documentLimits } from './document-limits.ts';

/** What the database counts of samples, no further than one above their limit. */
export type SampleTotals = {
  readonly samples: number;
  /** In Unicode code points, of which a text has no more than UTF-16 code units. */
  readonly longestValue: number;
  readonly characters: number;
};

/** Throws the Problem `document-too-large`. What passes may still be too large by a little. */
export function checkSampleTotals({ samples, longestValue, characters }: SampleTotals): void {
  if (samples > documentLimits.samples) throw refuse(`more than ${documentLimits.samples} samples`);
  if (longestValue > documentLimits.valueCharacters)
    throw refuse(`a value of more than ${documentLimits.valueCharacters} characters`);
  if (characters > documentLimits.characters) throw refuse(`more than ${documentLimits.characters} characters`);
}

const refuse = (what: string): Problem =>
  new Problem('document-too-large', { detail: `The document has ${what}: select fewer fields.` });
