// Decides whether and how long activation codes are valid.

import type { ProblemReason } from '../../../lib/problem.ts';
import type { ResidentState } from './allowed-commands.ts';

const lifetimeMs = 7 * 24 * 3600 * 1000;

/** For 80 random bits in a code. */
export const activationCodeBytes = 16;

type Activation = { readonly created_at: number; readonly used_at: number | null };

export type CodeState = 'none' | 'used' | 'expired' | 'pending';

/** A code is pending until it is used or seven days old. */
export function codeStateOf(activation: Activation | undefined, now: number): CodeState {
  if (activation === undefined) return 'none';
  if (activation.used_at !== null) return 'used';
  return now < expiresAt(activation) ? 'pending' : 'expired';
}

/** Why the resident cannot use the code; undefined if nothing is against it. Only an active resident can use one. */
export function findCodeRefusal(
  state: ResidentState,
  code: CodeState,
): ProblemReason<'no-activation-code'> | undefined {
  if (state !== 'active') return state;
  return code === 'pending' ? undefined : code;
}

export const expiresAt = ({ created_at }: Pick<Activation, 'created_at'>): number => created_at + lifetimeMs;

/** How often the code of a resident can be renewed in an hour. */
export const maxRenewalsPerHour = 10;
