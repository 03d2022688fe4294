// Slows down the guessing of passwords, and keeps nobody out by it who does not guess (OWASP ASVS 5.0, 6.1.1 and 6.3.1).
// Failures are counted by account and address together, so that one address closes an account to itself alone. What many
// addresses could try together is bounded as well, except where the manager has logged in from the address before.

import { hash } from 'node:crypto';
import { FixedWindow } from '../../http/fixed-window.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import { TokenBucket } from '../../lib/token-bucket.ts';
import { Problem } from '../../lib/problem.ts';

const failureWindowSeconds = 300;
/** Of an account from an address. */
const maxFailures = 10;
/** Of all accounts of a tenant together from an address: an office has many managers behind one. */
const maxFailuresFromAddress = 300;
/** Of an account from all unknown addresses together: so many at once, and one more after each interval. */
const unknownAddressFailures = { capacity: 30, refillSeconds: 10 };
/** Attempts on an account from an address that wait for each other. */
const maxWaitingAttempts = 100;

export type LoginAttempt = {
  readonly tenant: string;
  /** Unknown ones are throttled in the same way. */
  readonly userNameKey: string;
  readonly address: string;
};

export type LoginSteps<C, T> = {
  /** Reads what the attempt is checked against, and whether the manager has logged in from the address before. */
  readonly find: () => Promise<C>;
  /** Only a check that throws `invalid-credentials` counts as a failure. */
  readonly check: (candidate: C) => Promise<T>;
};

export type LoginThrottle = {
  /** Throws `too-many-attempts` where a limit is used up: then nothing was checked. */
  run<C extends { readonly isKnownAddress: boolean }, T>(attempt: LoginAttempt, steps: LoginSteps<C, T>): Promise<T>;
};

type FailureCounter = Pick<TokenBucket, 'take' | 'giveBack'>;
type CountedFailure = { readonly counter: FailureCounter; readonly key: string };

export function createLoginThrottle(): LoginThrottle {
  const failures = new FixedWindow(maxFailures, failureWindowSeconds);
  const failuresFromAddress = new FixedWindow(maxFailuresFromAddress, failureWindowSeconds);
  const failuresFromUnknown = new TokenBucket(unknownAddressFailures);
  const runInSequence = createSequenceByKey();
  return {
    run: ({ tenant, userNameKey, address }, { find, check }) => {
      // A hash has one length, however long a name was sent.
      const account = `${tenant}/${hash('sha256', userNameKey, 'base64url')}`;
      const key = `${account}/${address}`;
      return runInSequence(key, async () => {
        const counted: CountedFailure[] = [];
        try {
          countFailures(counted, [{ counter: failures, key }]);
          const candidate = await find();
          if (!candidate.isKnownAddress)
            countFailures(counted, [
              { counter: failuresFromUnknown, key: account },
              { counter: failuresFromAddress, key: `${tenant}/${address}` },
            ]);
          const result = await check(candidate);
          giveBack(counted);
          failures.forget(key);
          return result;
        } catch (error) {
          if (!(error instanceof Problem && error.code === 'invalid-credentials')) giveBack(counted);
          throw error;
        }
      });
    },
  };
}

/** Counts an attempt as failed in advance, so that attempts made at the same time cannot exceed a limit together. */
function countFailures(counted: CountedFailure[], toCount: readonly CountedFailure[]): void {
  const waits = toCount.map(({ counter, key }) => {
    const { allowed, resetSeconds } = counter.take(key);
    if (allowed) counted.push({ counter, key });
    return allowed ? 0 : resetSeconds;
  });
  const retryAfterSeconds = Math.max(...waits);
  if (retryAfterSeconds > 0) throw new Problem('too-many-attempts', { retryAfterSeconds });
}

function giveBack(counted: readonly CountedFailure[]): void {
  for (const { counter, key } of counted) counter.giveBack(key);
}

/** Runs the works of one key one after the other: correct attempts at the same time all succeed. */
function createSequenceByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const sequences = new Map<string, { readonly queue: FairQueue; attempts: number }>();
  const createRefusal = (): Problem => new Problem('login-busy');
  const createQueue = (): FairQueue =>
    new FairQueue({ maxConcurrent: 1, maxWaiting: maxWaitingAttempts, createRefusal });
  return async (key, work) => {
    const sequence = sequences.get(key) ?? { queue: createQueue(), attempts: 0 };
    sequences.set(key, sequence);
    sequence.attempts += 1;
    try {
      return await sequence.queue.run({ key }, work);
    } finally {
      sequence.attempts -= 1;
      if (sequence.attempts === 0) sequences.delete(key);
    }
  };
}
