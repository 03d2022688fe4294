// Bounds the guessing of enrolment codes. Failures are counted for an address and a tenant together, so that nobody can
// keep others from enrolling; a code has too many random bits to be guessed from many addresses.

import type { Databases } from '../../../database/databases.ts';
import { Problem } from '../../../lib/problem.ts';
import { createAttemptThrottle, type SettleSuccess } from '../../failed-attempts/process/attempt-throttle.ts';
import { createFailureCounter, type FailureLimit } from '../../failed-attempts/rules/failure-limits.ts';

/** Somebody who sets up many computers behind one address also types wrong codes. */
const addressLimit: FailureLimit = { maxFailures: 30, windowMs: 300_000 };

type EnrolmentAttempt = {
  readonly tenant: string;
  readonly address: string;
  /** MS2000. */
  readonly now: number;
};

type EnrolmentSteps<C, T> = {
  readonly find: () => Promise<C>;
  /** Only a check that throws `invalid-enrolment-code` counts as a failure. */
  readonly check: (found: C, settle: SettleSuccess) => Promise<T>;
};

export type EnrolmentThrottle = {
  /** Throws `too-many-attempts` before the check if the limit is used up. A right code ends no failures of others. */
  run<C, T>(attempt: EnrolmentAttempt, steps: EnrolmentSteps<C, T>): Promise<T>;
};

export function createEnrolmentThrottle(databases: Pick<Databases, 'forTenant'>): EnrolmentThrottle {
  const throttle = createAttemptThrottle({
    databases,
    failureCode: 'invalid-enrolment-code',
    successForgets: false,
    createRefusal: () => new Problem('too-many-attempts', { retryAfterSeconds: 1 }),
  });
  return {
    run: ({ tenant, address, now }, steps) => {
      const counters = [createFailureCounter(['enrolment', address], addressLimit)] as const;
      return throttle.run({ tenant, counters, now }, steps);
    },
  };
}
