// Slows down the guessing of passwords without locking anybody else out (OWASP ASVS 5.0, 6.1.1 and 6.3.1). Failures are
// counted by account and address together, so that an address can block an account only for itself. The attempts of
// many addresses together are limited as well, except from addresses from which the manager has logged in before.

import { hash } from 'node:crypto';
import { FixedWindow } from '../../../http/limits/fixed-window.ts';
import { FairQueue } from '../../../lib/fair-queue.ts';
import { TokenBucket } from '../../../lib/token-bucket.ts';
import { Problem } from '../../../lib/problem.ts';

const failureWindowSeconds = 300;
/** Failures of an account from an address. */
const maxFailures = 10;
/** Failures of all accounts of a tenant together from an address: an office can have many managers behind one. */
const maxFailuresFromAddress = 300;
/** Failures of an account from all unknown addresses together: `capacity` at once, and one more after each interval. */
const unknownAddressFailures = { capacity: 30, refillSeconds: 10 };
/** Attempts on an account from an address that wait for each other. */
const maxWaitingAttempts = 100;

type LoginAttempt = {
  readonly tenant: string;
  /** Unknown ones are throttled in the same way. */
  readonly userNameKey: string;
  readonly address: string;
};

type LoginSteps<C, T> = {
  /** Reads what the attempt is checked against, and whether the manager has logged in from the address before. */
  readonly find: () => Promise<C>;
  /** Only a check that throws `invalid-credentials` counts as a failure. */
  readonly check: (candidate: C) => Promise<T>;
};

export type LoginThrottle = {
  /** Throws `too-many-attempts` before the check if a limit is used up. */
  run<C extends { readonly isKnownAddress: boolean }, T>(attempt: LoginAttempt, steps: LoginSteps<C, T>): Promise<T>;
};

type FailureCounter = Pick<TokenBucket, 'take' | 'giveBack'>;
type CountedFailure = { readonly counter: FailureCounter; readonly key: string };

export function createLoginThrottle(): LoginThrottle {
  const failures = new FixedWindow(maxFailures, failureWindowSeconds);
  const failuresFromAddress = new FixedWindow(maxFailuresFromAddress, failureWindowSeconds);
  const failuresFromUnknown = new TokenBucket(unknownAddressFailures);
  // Attempts on an account from an address run one after another, so that correct ones at the same time all succeed.
  const queue = new FairQueue({
    maxConcurrent: Infinity,
    maxConcurrentPerKey: [1],
    maxWaitingPerKey: maxWaitingAttempts,
    createRefusal: () => new Problem('login-busy'),
  });
  return {
    run: ({ tenant, userNameKey, address }, { find, check }) => {
      // A hash has the same length for names of any length.
      const account = `${tenant}/${hash('sha256', userNameKey, 'base64url')}`;
      const key = `${account}/${address}`;
      return queue.run(
        async () => {
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
        },
        { key: [key] },
      );
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
