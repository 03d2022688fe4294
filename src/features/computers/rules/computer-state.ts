// Says in which state a computer is.

export const computerStates = ['waiting', 'enrolled', 'revoked'] as const;
type ComputerState = (typeof computerStates)[number];

type StateColumns = {
  readonly revoked_at: number | null;
  /** Null before the computer was enrolled. */
  readonly serial: string | null;
};

export function computerStateOf({ revoked_at: revokedAt, serial }: StateColumns): ComputerState {
  if (revokedAt !== null) return 'revoked';
  return serial === null ? 'waiting' : 'enrolled';
}
