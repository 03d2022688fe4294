// Verifies keys of services against their hashes. What is remembered is whether a key fits that very hash; the key itself
// never is. Guessing is bounded by address.

import { hash } from 'node:crypto';
import { FixedWindow } from '../../http/fixed-window.ts';
import { Problem } from '../../lib/problem.ts';
import { createPromiseCache } from '../../lib/promise-cache.ts';
import { createTenantCache, createTenantCacheKey } from '../../lib/tenant-cache.ts';
import type { PasswordHasher } from '../credentials/password-hasher.ts';

/** Of an address, for all services of a tenant together. */
const maxFailures = 10;
const failureWindowSeconds = 300;
const maxRememberedKeys = 1000;

export type KeyToVerify = {
  readonly tenant: string;
  readonly key: string;
  readonly phc: string;
  readonly address: string;
};

/** Throws `too-many-attempts` where the address has sent too many wrong keys: then nothing was checked. */
export type KeyVerifier = (key: KeyToVerify) => Promise<boolean>;

export function createKeyVerifier(passwordHasher: PasswordHasher): KeyVerifier {
  const failures = new FixedWindow(maxFailures, failureWindowSeconds);
  const verified = createPromiseCache<true | undefined>({ max: maxRememberedKeys });
  // Apart, so that wrong keys displace no right one. A client that still has a key that was replaced costs one hash, and does
  // not close its address to others.
  const refused = createTenantCache<true>({ max: maxRememberedKeys });
  return async ({ tenant, key, phc, address }) => {
    const counted = `${tenant}/${address}`;
    const cacheKey = createTenantCacheKey({ tenant }, hash('sha256', key, 'hex'), phc);
    const verifyOnce = async (): Promise<true | undefined> => {
      // Counted in advance, so that keys that come at the same time cannot exceed the limit together.
      const { allowed, resetSeconds } = failures.take(counted);
      if (!allowed) throw new Problem('too-many-attempts', { retryAfterSeconds: resetSeconds });
      let isWrong = false;
      try {
        isWrong = !(await passwordHasher.verify(key, phc, { key: address }));
      } finally {
        if (!isWrong) failures.giveBack(counted);
      }
      if (isWrong) refused.set(cacheKey, true);
      return isWrong ? undefined : true;
    };
    if (refused.has(cacheKey)) return false;
    return (await verified.get(cacheKey, verifyOnce)) === true;
  };
}
