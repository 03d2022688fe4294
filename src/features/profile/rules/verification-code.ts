// Makes the codes with which managers verify an email address, and decides how long they stand.

import { hash, randomInt, timingSafeEqual } from 'node:crypto';

export const codeLifetimeMinutes = 15;
const codeLifetimeMs = codeLifetimeMinutes * 60_000;

/** After as many wrong tries a code is dead. */
export const maxWrongTries = 5;

/** How many codes a manager can request in an hour. */
export const maxRequestsInWindow = 5;
export const requestWindowMs = 3_600_000;

/** Without letters and digits that are taken for one another. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const groups = 3;
const groupLength = 4;

/** 60 random bits: nobody guesses it in five tries, nor computes it from its hash while it stands. */
export function createVerificationCode(): string {
  const characters = Array.from({ length: groups * groupLength }, () => alphabet.charAt(randomInt(alphabet.length)));
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * groupLength, (group + 1) * groupLength).join(''),
  ).join('-');
}

/** The code that a person typed: case and what stands between the groups do not count. */
export const normalizeCode = (text: string): string => text.toUpperCase().replaceAll(/[\s.-]/g, '');

export type CodeOwner = { readonly tenant: string; readonly managerId: number; readonly verificationId: number };

/** What is stored of a code. It is of one manager and one request. */
export const hashCode = (code: string, { tenant, managerId, verificationId }: CodeOwner): string =>
  hash('sha256', `${tenant}/${managerId}/${verificationId}/${normalizeCode(code)}`, 'hex');

export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

export type Verification = { readonly code_hash: string | null; readonly requested_at: number };

/** Until it is used, replaced, tried too often, or 15 minutes old. */
export const isStanding = <V extends Verification>(
  verification: V,
  now: number,
): verification is V & { readonly code_hash: string } =>
  verification.code_hash !== null && now < codeExpiresAt(verification.requested_at);

export const codeExpiresAt = (requestedAt: number): number => requestedAt + codeLifetimeMs;

/** In how many seconds another code can be requested, given when earlier ones were, the first one first; 0: now. */
export function secondsUntilNextRequest(requestedAt: readonly number[], now: number): number {
  const counted = requestedAt.filter((at) => at > now - requestWindowMs);
  const blocking = counted.at(-maxRequestsInWindow);
  return blocking === undefined ? 0 : Math.max(1, Math.ceil((blocking + requestWindowMs - now) / 1000));
}
