// Parses the number of a settlement period in a path, where numbers are texts.

import { Problem } from '../../../lib/problem.ts';

export const maxPeriodNumber = 2_147_483_647;

/** Throws 400 `invalid-request` if the number is too large. */
export function parsePeriodNumber(text: string): number {
  const period = Number(text);
  if (period <= maxPeriodNumber) return period;
  const message = `must be at most ${maxPeriodNumber}`;
  throw new Problem('invalid-request', {
    detail: `path.period ${message}`,
    errors: [{ path: 'path.period', message }],
  });
}
