// Tells how long before their arrival lines had happened.

import type { StreamLine } from './parse-lines.ts';
import { LineFields } from './line-fields.ts';
import type { ReceivedHeader } from './stream-header.ts';

/**
 * In seconds, by the clock of the computer alone: from what a line tells to when it was sent. Lines without a time of their
 * own are left out, and so are all of a computer that does not tell when it sent them.
 */
export function measureLags({ sentAt }: Pick<ReceivedHeader, 'sentAt'>, lines: readonly StreamLine[]): number[] {
  if (sentAt === undefined) return [];
  return lines.flatMap(({ fields }) => {
    const at = fields === undefined ? undefined : new LineFields(fields).time('at');
    return at === undefined ? [] : [Math.max(0, sentAt - at) / 1000];
  });
}
