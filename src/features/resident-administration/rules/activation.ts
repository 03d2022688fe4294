// Decides how long activation codes are valid.

const lifetimeMs = 7 * 24 * 3600 * 1000;

/** For 80 random bits in a code. */
export const activationCodeBytes = 16;

type Activation = { readonly code: string; readonly created_at: number; readonly used_at: number | null };

/** A code is pending until it is used or seven days old. */
export const isPendingActivation = ({ created_at, used_at }: Activation, now: number): boolean =>
  used_at === null && now < expiresAt({ created_at });

export const expiresAt = ({ created_at }: Pick<Activation, 'created_at'>): number => created_at + lifetimeMs;

/** How often the code of a resident can be renewed in an hour. */
export const maxRenewalsPerHour = 10;
export const renewalWindowMs = 3_600_000;
