// Makes and reads the codes with which computers enrol: 80 random bits for people to type, valid for a day, once.

import type { Tables } from '../../../database/tables.ts';
import { formatReadableCode } from '../../../lib/text/readable-code.ts';
import { hashComputerSecret } from './computer-key.ts';

export const enrolmentCodeBytes = 16;

export const enrolmentLifetimeMs = 24 * 3600 * 1000;

export const maxEnrolmentCodeLength = 64;

export const enrolmentCodePattern = '[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){3}';

/** Takes `enrolmentCodeBytes` random bytes. */
export const formatEnrolmentCode = (random: Uint8Array): string => formatReadableCode(random);

/** Hashes a code as it is stored. Case, hyphens and spaces do not count: people type what they read or hear. */
export const hashEnrolmentCode = (typed: string): string =>
  hashComputerSecret(typed.toUpperCase().replaceAll(/[\s-]/g, ''));

export type StoredCode = Pick<Tables['computers'], 'code_expires_at' | 'code_environment' | 'revoked_at'>;

/** Whether a stored code can be used in an environment at a time, MS2000. */
export const isCodeOpen = (
  { code_expires_at: expiresAt, code_environment: ofCode, revoked_at: revokedAt }: StoredCode,
  { environment, now }: { readonly environment: string; readonly now: number },
): boolean => revokedAt === null && expiresAt !== null && now < expiresAt && ofCode === environment;
