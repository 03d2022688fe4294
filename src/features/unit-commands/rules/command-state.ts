// Decides the state of a command that managers see.

export const commandStates = ['queued', 'sent', 'done', 'failed', 'expired'] as const;
type CommandState = (typeof commandStates)[number];

export type StoredCommand = {
  /** MS2000. */
  readonly expires_at: number;
  readonly finished_at: number | null;
  readonly succeeded: number | null;
  /** The state of its record in the outbox; null if that was deleted. */
  readonly sync_state: string | null;
};

/** A result counts even if it came after the command had expired. */
export function commandStateAt(
  { expires_at, finished_at, succeeded, sync_state }: StoredCommand,
  now: number,
): CommandState {
  if (finished_at !== null) return succeeded === 1 ? 'done' : 'failed';
  if (sync_state === 'failed') return 'failed';
  if (expires_at <= now) return 'expired';
  return sync_state === 'queued' ? 'queued' : 'sent';
}
