// The log of this process, of which each tenant sees what it may.

import type { LogSource } from '../hosting.ts';
import { showOwnLine } from '../own-lines.ts';

export type OwnLines = {
  newestFirst(): Iterable<string>;
  /** Whether older lines are no longer known. */
  isCut(): boolean;
};

export const createOwnLogSource = ({ newestFirst, isCut }: OwnLines): LogSource => ({
  dependsOnTenant: true,
  read: async ({ tenant, maxLines }) => {
    const lines: string[] = [];
    for (const line of newestFirst()) {
      const shown = showOwnLine(line, tenant);
      if (shown === undefined) continue;
      if (lines.length === maxLines) return { lines: lines.toReversed(), truncated: true };
      lines.push(shown);
    }
    return { lines: lines.toReversed(), truncated: isCut() };
  },
});
