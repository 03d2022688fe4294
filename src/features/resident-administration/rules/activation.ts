// Makes activation codes, and decides how long they stand.

import { randomInt } from 'node:crypto';

const lifetimeMs = 7 * 24 * 3600 * 1000;

/** Without letters and digits that are taken for one another. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const groups = 4;
const groupLength = 4;

/** 80 random bits, in groups that can be read aloud: `7K3M-9XQP-2RTW-HV4C`. */
export function createActivationCode(): string {
  const characters = Array.from({ length: groups * groupLength }, () => alphabet.charAt(randomInt(alphabet.length)));
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * groupLength, (group + 1) * groupLength).join(''),
  ).join('-');
}

export type Activation = { readonly code: string; readonly created_at: number; readonly used_at: number | null };

/** Until it is used, or seven days old. */
export const isStanding = ({ created_at, used_at }: Activation, now: number): boolean =>
  used_at === null && now < expiresAt({ created_at });

export const expiresAt = ({ created_at }: Pick<Activation, 'created_at'>): number => created_at + lifetimeMs;

/** How many codes of a resident can be replaced in an hour. */
export const maxRenewalsPerHour = 10;
export const renewalWindowMs = 3_600_000;
