// Slows down the guessing of passwords without locking anybody else out (OWASP ASVS 5.0, 6.1.1 and 6.3.1).

import type { Databases } from '../../../database/databases.ts';
import { Problem } from '../../../lib/problem.ts';
import { createAttemptThrottle, type SettleSuccess } from '../../failed-attempts/process/attempt-throttle.ts';
import { createLoginCounters } from '../rules/login-limits.ts';

type LoginAttempt = {
  readonly tenant: string;
  /** Unknown ones are throttled in the same way. */
  readonly userNameKey: string;
  readonly address: string;
  /** MS2000. */
  readonly now: number;
};

type LoginSteps<C, T> = {
  /** Reads what the attempt is checked against, and whether the manager has logged in from the address before. */
  readonly find: () => Promise<C>;
  /** Only a check that throws `invalid-credentials` counts as a failure. */
  readonly check: (candidate: C, settle: SettleSuccess) => Promise<T>;
};

export type LoginThrottle = {
  /** Throws `too-many-attempts` before the check if a limit is used up. */
  run<C extends { readonly isKnownAddress: boolean }, T>(attempt: LoginAttempt, steps: LoginSteps<C, T>): Promise<T>;
};

/**
 * Failures are counted by account and address together, so that an address can block an account only for requests from
 * the same address. The attempts of many addresses together are limited as well, except from addresses from which the
 * manager has logged in before.
 */
export function createLoginThrottle(databases: Pick<Databases, 'forTenant'>): LoginThrottle {
  const throttle = createAttemptThrottle({
    databases,
    failureCode: 'invalid-credentials',
    successForgets: true,
    createRefusal: () => new Problem('login-busy'),
  });
  return {
    run: ({ tenant, userNameKey, address, now }, steps) => {
      const { accountFromAddress, account, address: ofAddress } = createLoginCounters(userNameKey, address);
      const all = [accountFromAddress, account, ofAddress] as const;
      const select = ({ isKnownAddress }: { readonly isKnownAddress: boolean }) =>
        isKnownAddress ? [accountFromAddress] : all;
      return throttle.run({ tenant, counters: all, now }, { ...steps, select });
    },
  };
}
