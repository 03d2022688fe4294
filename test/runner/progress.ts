// Prints the progress of a long run: a line for each file that has finished, and what failed in it.
import type { Writable } from 'node:stream';
import { describeFailure, type Failure } from './failures.ts';

export interface FinishedFile {
  readonly file: string;
  readonly passed: boolean;
  readonly durationMs: number;
  readonly tests: number;
}

export interface Progress {
  finishFile(file: FinishedFile): void;
  fail(failure: Failure): void;
  /** What the process of a file wrote. */
  print(file: string, text: string): void;
}

/** `count` is the number of all files. */
export function createProgress(count: number, output: Writable): Progress {
  const startedAtMs = performance.now();
  const width = String(count).length;
  let done = 0;
  let printedLast: string | undefined;
  const write = (line: string): void => {
    printedLast = undefined;
    output.write(`${line}\n`);
  };
  return {
    finishFile: ({ file, passed, durationMs, tests }) => {
      done += 1;
      const place = `${String(done).padStart(width)}/${count}`;
      const time = formatClock(performance.now() - startedAtMs);
      write(`${passed ? '✔' : '✖'} ${place}  ${time}  ${file}  ${tests} tests, ${formatSeconds(durationMs)}`);
    },
    fail: (failure) => {
      for (const line of describeFailure(failure)) write(line);
    },
    print: (file, text) => {
      if (printedLast !== file) write(`  ${file} wrote:`);
      printedLast = file;
      output.write(text);
    },
  };
}

/** `4.2 s` */
export const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** `3:07` */
function formatClock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
