// The limits on wrong passwords, and what each attempt counts against.

import {
  createFailureCounter,
  type FailureCounter,
  type FailureLimit,
} from '../../failed-attempts/rules/failure-limits.ts';

const windowMs = 300_000;

/** Failures of an account from an address. */
const accountFromAddressLimit: FailureLimit = { maxFailures: 10, windowMs };
/** Failures of an account from all unknown addresses together. */
const accountLimit: FailureLimit = { maxFailures: 30, refillMs: 10_000 };
/** Failures of all accounts of a tenant together from an address: an office can have many managers behind one. */
const addressLimit: FailureLimit = { maxFailures: 300, windowMs };

type LoginCounters = {
  readonly accountFromAddress: FailureCounter;
  readonly account: FailureCounter;
  readonly address: FailureCounter;
};

/** What an attempt counts against. Unknown user names are counted in the same way. */
export const createLoginCounters = (userNameKey: string, address: string): LoginCounters => ({
  accountFromAddress: createFailureCounter(['pair', userNameKey, address], accountFromAddressLimit),
  account: createFailureCounter(['account', userNameKey], accountLimit),
  address: createFailureCounter(['address', address], addressLimit),
});
