// The SQLite threads of this process, as the system sees them (Linux).

import { readdirSync, readFileSync } from 'node:fs';

/** How many there are, of readers (`snapshot`), of writers (`write`), or of both. */
export const sqliteThreads = (mode = ''): number => threads(mode).length;

/** How many of them compute, or would if they had a core. */
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
    // It has ended meanwhile.
    return '';
  }
}
