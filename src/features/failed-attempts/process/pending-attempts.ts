// Counts the attempts of this process whose outcome is not known yet, or not in what another attempt has read: they
// count as failures, so that attempts at the same time cannot exceed a limit together.

import type { FailureCounter } from '../rules/failure-limits.ts';

type CounterState = {
  /** Attempts that have begun and not ended. */
  begun: number;
  /** Those of them that may be checked. */
  taken: number;
  /** Failures since the first of those that have begun. */
  failed: number;
  /** Failures that are being stored. */
  readonly recordings: Set<Promise<void>>;
};

type PendingAttempt = {
  /** Other attempts that count, besides what is stored. */
  countOthers(counter: FailureCounter): number;
  /** From now on it counts against these. */
  take(those: readonly FailureCounter[]): void;
  /** It has failed, which `work` stores. */
  record(work: () => Promise<void>): Promise<void>;
  /** Whether a failure may be counted twice: in what was read, and as one of another attempt. */
  isUncertain(those: readonly FailureCounter[]): boolean;
  /** Waits for failures that are being stored. Called before the stored counts are read again. */
  settle(those: readonly FailureCounter[]): Promise<void>;
  end(): void;
};

export class PendingAttempts {
  readonly #states = new Map<string, CounterState>();

  /** Called before the stored counts are read. */
  begin(tenant: string, counters: readonly FailureCounter[]): PendingAttempt {
    const states = new Map(counters.map(({ hash }) => [hash, this.#open(`${tenant}/${hash}`)]));
    let failedBefore = new Map([...states].map(([hash, { failed }]) => [hash, failed]));
    const stateOf = ({ hash }: FailureCounter): CounterState => {
      const state = states.get(hash);
      if (state === undefined) throw new Error('the attempt has not begun with this counter');
      return state;
    };
    let taken: readonly CounterState[] = [];
    return {
      // A failure that was stored while this attempt read may or may not be in what it has read.
      countOthers: (counter) => {
        const state = stateOf(counter);
        return state.taken + state.failed - (failedBefore.get(counter.hash) ?? 0);
      },
      take: (those) => {
        taken = those.map(stateOf);
        for (const state of taken) state.taken += 1;
      },
      record: async (work) => {
        const recording = work();
        for (const { recordings } of taken) recordings.add(recording);
        try {
          await recording;
          for (const state of taken) {
            state.failed += 1;
            state.taken -= 1;
          }
          taken = [];
        } finally {
          for (const { recordings } of states.values()) recordings.delete(recording);
        }
      },
      isUncertain: (those) =>
        those.some((counter) => {
          const { recordings, failed } = stateOf(counter);
          return recordings.size > 0 || failed !== failedBefore.get(counter.hash);
        }),
      settle: async (those) => {
        await Promise.allSettled(those.flatMap((counter) => [...stateOf(counter).recordings]));
        failedBefore = new Map([...states].map(([hash, { failed }]) => [hash, failed]));
      },
      end: () => {
        for (const state of taken) state.taken -= 1;
        for (const hash of states.keys()) this.#close(`${tenant}/${hash}`);
      },
    };
  }

  #open(key: string): CounterState {
    let state = this.#states.get(key);
    if (state === undefined) this.#states.set(key, (state = { begun: 0, taken: 0, failed: 0, recordings: new Set() }));
    state.begun += 1;
    return state;
  }

  #close(key: string): void {
    const state = this.#states.get(key);
    if (state === undefined) return;
    state.begun -= 1;
    if (state.begun === 0) this.#states.delete(key);
  }
}
