// Counts the Argon2 computations that this process starts: the cost of a login, measured without a clock.

import { createHook } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { PasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';

export type HashCounter = {
  /** How many were started while `work` ran. */
  countDuring(work: () => Promise<unknown>): Promise<number>;
  stop(): void;
};

export function createHashCounter(): HashCounter {
  let started = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') started += 1;
    },
  }).enable();
  return {
    countDuring: async (work) => {
      const before = started;
      await work();
      return started - before;
    },
    stop: () => void hook.disable(),
  };
}

/** Passwords that cost nothing, for tests in which many are tried. */
export const plainPasswords: PasswordHasher = {
  hash: async (password) => plainPasswordHash(password),
  verify: async (password, stored) => stored === plainPasswordHash(password),
  hashSecret: async (secret, salt) => hash('sha256', `${salt.toString('hex')}${secret}`, 'buffer'),
};

/** What `plainPasswords` stores. */
export const plainPasswordHash = (password: string): string => `plain:${hash('sha256', password.normalize('NFC'))}`;
