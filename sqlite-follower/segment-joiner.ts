// Joins the segments of passed periods while the copy goes on.

import { periodOf, type JoinLimits } from './join-periods.ts';
import { joinSegments } from './join-segments.ts';

/** The log says what happens. A logger of pino is one. */
export type Log = {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
};

type JoinerInput = {
  /** The folder of the copy. */
  readonly folder: string;
  readonly limits: JoinLimits;
  readonly log: Log;
};

export class SegmentJoiner {
  readonly #input: JoinerInput;
  readonly #stopped = new AbortController();
  /** The period of the newest segment when it was begun last. */
  #period: number | undefined;
  #inWork: Promise<void> | undefined;

  constructor(input: JoinerInput) {
    this.#input = input;
  }

  /** Once for each period, and at the beginning. `writtenAtMs` is that of the newest segment. */
  beginDue(writtenAtMs: number): void {
    const period = periodOf(writtenAtMs, this.#input.limits);
    if (period === this.#period || this.#inWork !== undefined || this.#stopped.signal.aborted) return;
    this.#period = period;
    this.#inWork = this.#join().finally(() => (this.#inWork = undefined));
  }

  /** What could not be joined is as good as before, and joined after the next period. */
  async #join(): Promise<void> {
    const { folder, limits, log } = this.#input;
    try {
      await joinSegments(folder, limits, this.#stopped.signal);
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      const problem = error instanceof Error ? error.message : String(error);
      log.warn({ problem }, 'the files of a passed hour could not be joined');
    }
  }

  /** Waits for what is being joined. */
  async settle(): Promise<void> {
    await this.#inWork;
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#inWork;
  }
}
