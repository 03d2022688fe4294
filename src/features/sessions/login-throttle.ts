// Slows down the guessing of passwords: failed logins are counted by account and by client address.

import PQueue from 'p-queue';
import { FixedWindow } from '../../http/fixed-window.ts';
import { Problem } from '../../lib/problem.ts';

const failureWindowSeconds = 300;
const maxFailuresPerAccount = 10;
const maxFailuresPerAddress = 100;

export type LoginAttempt = {
  /** The tenant and the user name; unknown ones are throttled in the same way. */
  readonly account: string;
  readonly address: string;
};

export type LoginThrottle = {
  /**
   * Checks the credentials of an attempt. Throws `too-many-attempts` where a limit is used up. Only a check that throws
   * `invalid-credentials` counts as a failure.
   */
  run<T>(attempt: LoginAttempt, check: () => Promise<T>): Promise<T>;
};

export function createLoginThrottle(): LoginThrottle {
  const failuresByAccount = new FixedWindow(maxFailuresPerAccount, failureWindowSeconds);
  const failuresByAddress = new FixedWindow(maxFailuresPerAddress, failureWindowSeconds);
  const runInSequence = createSequenceByKey();

  /** Counts an attempt as a failure in advance, so that concurrent attempts on other accounts are counted as well. */
  const countFailure = ({ account, address }: LoginAttempt): void => {
    const states = [failuresByAccount.take(account), failuresByAddress.take(address)] as const;
    const exceeded = states.filter(({ allowed }) => !allowed);
    if (exceeded.length === 0) return;
    if (states[0].allowed) failuresByAccount.giveBack(account);
    if (states[1].allowed) failuresByAddress.giveBack(address);
    throw new Problem('too-many-attempts', {
      retryAfterSeconds: Math.max(...exceeded.map(({ resetSeconds }) => resetSeconds)),
    });
  };
  return {
    run: (attempt, check) =>
      runInSequence(attempt.account, async () => {
        const { account, address } = attempt;
        countFailure(attempt);
        try {
          const result = await check();
          failuresByAccount.forget(account);
          failuresByAddress.giveBack(address);
          return result;
        } catch (error) {
          if (!(error instanceof Problem && error.code === 'invalid-credentials')) {
            failuresByAccount.giveBack(account);
            failuresByAddress.giveBack(address);
          }
          throw error;
        }
      }),
  };
}

/** Runs the works of one key one after the other, so that concurrent attempts on an account cannot exceed its limit. */
function createSequenceByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, PQueue>();
  return (key, work) => {
    const queue = queues.get(key) ?? new PQueue({ concurrency: 1 });
    if (!queues.has(key)) {
      queues.set(key, queue);
      queue.addEventListener('idle', () => queues.delete(key), { once: true });
    }
    return queue.add(work);
  };
}
