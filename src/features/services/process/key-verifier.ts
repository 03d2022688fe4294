// Verifies keys of services against their hashes.

import { hash } from 'node:crypto';
import { FixedWindow } from '../../../http/limits/fixed-window.ts';
import { FairQueue } from '../../../lib/queues/fair-queue.ts';
import { Problem } from '../../../lib/problem.ts';
import { createPromiseCache } from '../../../lib/caches/promise-cache.ts';
import { createTenantCache, createTenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';

/**
 * Failures of an address, for all services of a tenant together. Beyond that, its keys get one of four turns when
 * others wait.
 */
const maxFailures = 10;
const failureWindowSeconds = 300;
const maxRememberedKeys = 1000;
const maxWaitingKeys = 100;

type KeyToVerify = { readonly tenant: string; readonly key: string; readonly phc: string; readonly address: string };

/** Throws `login-busy` if too many keys wait. */
type KeyVerifier = (key: KeyToVerify) => Promise<boolean>;

/**
 * The verifier remembers whether a key matches its hash, but never the key itself. Nobody can guess a key, so no
 * address is blocked: only the time that wrong keys cost is limited.
 */
export function createKeyVerifier(passwordHasher: Pick<PasswordHasher, 'verify'>): KeyVerifier {
  const failures = new FixedWindow(maxFailures, failureWindowSeconds);
  // One at a time, so that keys leave room for logins.
  const queue = new FairQueue({
    maxConcurrent: 1,
    maxWaiting: maxWaitingKeys,
    createRefusal: () => new Problem('login-busy'),
  });
  const verified = createPromiseCache<true | undefined>({ max: maxRememberedKeys });
  // Separate, so that wrong keys displace no right one. A client that still uses a replaced key costs one hash.
  const refused = createTenantCache<true>({ max: maxRememberedKeys });
  return async ({ tenant, key, phc, address }) => {
    const counted = `${tenant}/${address}`;
    const cacheKey = createTenantCacheKey({ tenant }, hash('sha256', key, 'hex'), phc);
    const verifyOnce = async (): Promise<true | undefined> => {
      // Counted in advance, so that keys that come at the same time cannot exceed the limit together.
      const { allowed: isPreferred } = failures.take(counted);
      let isWrong = false;
      try {
        const verify = (): Promise<boolean> => passwordHasher.verify(key, phc, { key: [address] });
        isWrong = !(await queue.run(verify, { key: [counted], isPreferred }));
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
