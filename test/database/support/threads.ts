// The SQLite threads of this process, as the system sees them (Linux).

import { readdirSync, readFileSync } from 'node:fs';

/** How many there are, of readers (`snapshot`), of writers (`write`), or of both. */
export function sqliteThreads(mode = ''): number {
  const nameOf = (id: string): string => {
    try {
      return readFileSync(`/proc/self/task/${id}/comm`, 'utf8');
    } catch {
      // It has ended meanwhile.
      return '';
    }
  };
  return readdirSync('/proc/self/task').filter((id) => nameOf(id).startsWith(`sqlite ${mode}`)).length;
}
