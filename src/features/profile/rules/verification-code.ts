// Decides how long verification codes for email addresses are valid, and how they are compared.

import { hash, timingSafeEqual } from 'node:crypto';

export const codeLifetimeMinutes = 15;
const codeLifetimeMs = codeLifetimeMinutes * 60_000;

/** After this many wrong tries a code is invalid. */
export const maxWrongTries = 5;

/** How many codes a manager can request in an hour. */
export const maxRequestsPerHour = 5;

/** For 60 random bits in a code: nobody can guess it in five tries, or compute it from its hash while it is valid. */
export const verificationCodeBytes = 12;

/** The code that a person typed, without regard to case and separators. */
const normalizeCode = (text: string): string => text.toUpperCase().replaceAll(/[\s.-]/g, '');

type CodeOwner = { readonly tenant: string; readonly managerId: number; readonly verificationId: number };

/** The stored hash of a code. It depends on the manager and the request. */
export const hashCode = (code: string, { tenant, managerId, verificationId }: CodeOwner): string =>
  hash('sha256', `${tenant}/${managerId}/${verificationId}/${normalizeCode(code)}`, 'hex');

export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

type Verification = { readonly code_hash: string | null; readonly requested_at: number };

/** A code is pending until it is used, replaced, tried too often, or 15 minutes old. */
export const isPendingVerification = <V extends Verification>(
  verification: V,
  now: number,
): verification is V & { readonly code_hash: string } =>
  verification.code_hash !== null && now < codeExpiresAt(verification.requested_at);

export const codeExpiresAt = (requestedAt: number): number => requestedAt + codeLifetimeMs;
