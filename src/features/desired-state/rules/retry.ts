// Decides which records for devices can be sent again.

import type { SubjectKind, SyncState } from '../../outbox/rules/sync-state.ts';

type RetriedRecord = {
  readonly state: SyncState;
  readonly subject_kind: SubjectKind;
  /** Null for a version of a setting that is no longer its value, and for any other subject. */
  readonly setting_name: string | null;
};

/**
 * Only what a device has refused. A value that was replaced is not sent again, and neither is a command: a manager sends
 * another one, since who waits for the first one has gone.
 */
export const isRetryable = ({ state, subject_kind, setting_name }: RetriedRecord): boolean =>
  state === 'failed' && subject_kind !== 'command' && (subject_kind !== 'setting' || setting_name !== null);

/** Changes with every state of the record. */
export const deviceSyncRevisionOf = ({
  attempts,
  updated_at,
}: {
  readonly attempts: number;
  readonly updated_at: number;
}): string => `${attempts}-${updated_at}`;
