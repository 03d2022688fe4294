// The SQLite threads of this process, as the system sees them (Linux).

import { readdirSync, readFileSync } from 'node:fs';

/** The number of threads: readers (`snapshot`), writers (`write`), or both. */
export const sqliteThreads = (mode = ''): number => threads(mode).length;

/** The number of threads that run or are ready to run. */
export const busySqliteThreads = (): number => threads('').filter((state) => state === 'R').length;

function threads(mode: string): string[] {
  return readdirSync('/proc/self/task').flatMap((id) => {
    const [, name = '', state = ''] = /\((.*)\) (\S)/.exec(statOf(id)) ?? [];
    return name.startsWith(`sqlite ${mode}`) ? [state] : [];
  });
}

function statOf(id: string): string {
  try {
    return readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
  } catch {
    // The thread has ended meanwhile.
    return '';
  }
}
