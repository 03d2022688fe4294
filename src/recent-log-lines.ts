// Keeps the newest lines of the log in memory, as they were written, for whoever may read them later.

import type { LogDestination } from './log-destination.ts';

const maxCharacters = 1_048_576;

export type RecentLogLines = LogDestination & {
  newestFirst(): Iterable<string>;
  /** Whether older lines were left out by now. */
  isCut(): boolean;
};

export function createRecentLogLines(limit = maxCharacters): RecentLogLines {
  const lines: string[] = [];
  let characters = 0;
  let first = 0;
  let isCut = false;
  return {
    write: (line) => {
      lines.push(line);
      characters += line.length;
      for (; characters > limit && first < lines.length; first += 1) {
        characters -= lines[first]?.length ?? 0;
        lines[first] = '';
        isCut = true;
      }
      // Seldom, since it moves all the others.
      if (first > 1024 && first * 2 > lines.length) {
        lines.splice(0, first);
        first = 0;
      }
    },
    *newestFirst() {
      for (let at = lines.length - 1; at >= first; at -= 1) yield lines[at] ?? '';
    },
    isCut: () => isCut,
  };
}
