// Verifies keys of services against their hashes. What is remembered is whether a key fits that very hash; the key itself
// never is. Nobody can guess one, so that no address is closed: what is bounded is the time that wrong keys cost.

import { hash } from 'node:crypto';
import { FixedWindow } from '../../http/fixed-window.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';
import { createPromiseCache } from '../../lib/promise-cache.ts';
import { createTenantCache, createTenantCacheKey } from '../../lib/tenant-cache.ts';
import type { PasswordHasher } from '../credentials/password-hasher.ts';

/** Of an address, for all services of a tenant together. After that its keys have one turn of four beside those of all others. */
const maxFailures = 10;
const failureWindowSeconds = 300;
const maxRememberedKeys = 1000;
const maxWaitingKeys = 100;

export type KeyToVerify = {
  readonly tenant: string;
  readonly key: string;
  readonly phc: string;
  readonly address: string;
};

/** Throws `login-busy` where too many keys wait. */
export type KeyVerifier = (key: KeyToVerify) => Promise<boolean>;

export function createKeyVerifier(passwordHasher: PasswordHasher): KeyVerifier {
  const failures = new FixedWindow(maxFailures, failureWindowSeconds);
  // One at a time, so that keys leave room for logins.
  const queue = new FairQueue({
    maxConcurrent: 1,
    maxWaiting: maxWaitingKeys,
    createRefusal: () => new Problem('login-busy'),
  });
  const verified = createPromiseCache<true | undefined>({ max: maxRememberedKeys });
  // Apart, so that wrong keys displace no right one. A client that still has a key that was replaced costs one hash.
  const refused = createTenantCache<true>({ max: maxRememberedKeys });
  return async ({ tenant, key, phc, address }) => {
    const counted = `${tenant}/${address}`;
    const cacheKey = createTenantCacheKey({ tenant }, hash('sha256', key, 'hex'), phc);
    const verifyOnce = async (): Promise<true | undefined> => {
      // Counted in advance, so that keys that come at the same time cannot exceed the limit together.
      const { allowed: isPreferred } = failures.take(counted);
      let isWrong = false;
      try {
        const verify = (): Promise<boolean> => passwordHasher.verify(key, phc, { key: address });
        isWrong = !(await queue.run({ key: counted, isPreferred }, verify));
      } finally {
        if (isPreferred && !isWrong) failures.giveBack(counted);
      }
      if (isWrong) refused.set(cacheKey, true);
      return isWrong ? undefined : true;
    };
    if (refused.has(cacheKey)) return false;
    return (await verified.get(cacheKey, verifyOnce)) === true;
  };
}
