// Bounds the guessing of enrolment codes. Failures are counted for an address and a tenant together, so that nobody can
// keep others from enrolling; a code has too many random bits to be guessed from many addresses.

import { FixedWindow } from '../../../http/limits/fixed-window.ts';
import { Problem } from '../../../lib/problem.ts';

const failureWindowSeconds = 300;
/** Somebody who sets up many computers behind one address also types wrong codes. */
const maxFailures = 30;

type Attempt = { readonly tenant: string; readonly address: string };

export type EnrolmentThrottle = {
  /** Throws `too-many-attempts` if the limit is used up. Only `invalid-enrolment-code` counts as a failure. */
  run<T>(attempt: Attempt, enrol: () => Promise<T>): Promise<T>;
};

export function createEnrolmentThrottle(): EnrolmentThrottle {
  const failures = new FixedWindow(maxFailures, failureWindowSeconds);
  return {
    run: async ({ tenant, address }, enrol) => {
      const key = `${tenant}/${address}`;
      // Counted in advance, so that attempts at the same time cannot exceed the limit together.
      const { allowed, resetSeconds } = failures.take(key);
      if (!allowed) throw new Problem('too-many-attempts', { retryAfterSeconds: resetSeconds });
      try {
        const result = await enrol();
        failures.giveBack(key);
        return result;
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'invalid-enrolment-code')) failures.giveBack(key);
        throw error;
      }
    },
  };
}
