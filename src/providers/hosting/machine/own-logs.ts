// The log of this process, filtered to an application and to what each tenant may see of an environment.

import type { LogSource } from '../hosting.ts';
import { showOwnLine, type OwnApplication } from '../own-log-lines.ts';

type OwnLines = {
  newestFirst(): Iterable<string>;
  /** Whether older lines have been dropped. */
  isCut(): boolean;
};

export const createOwnLogSource = ({ newestFirst, isCut }: OwnLines, application: OwnApplication): LogSource => ({
  dependsOnTenant: true,
  read: async ({ maxLines, ...reader }) => {
    const lines: string[] = [];
    for (const line of newestFirst()) {
      const shown = showOwnLine(line, reader, application);
      if (shown === undefined) continue;
      if (lines.length === maxLines) return { lines: lines.toReversed(), truncated: true };
      lines.push(shown);
    }
    return { lines: lines.toReversed(), truncated: isCut() };
  },
});
