// Decides which commands the state of a resident allows. The workspace and the commands themselves use this one rule.

import type { ProblemReason } from '../../../lib/problem.ts';
import { fieldCommands } from '../../residents/fields.ts';

export const residentCommands = [
  ...fieldCommands,
  'SetLocation',
  'Enable',
  'Disable',
  'Delete',
  'Restore',
  'AddKey',
  'RemoveKey',
  'SetPin',
  'RenewActivation',
] as const;
export type ResidentCommand = (typeof residentCommands)[number];

export const residentStates = ['active', 'disabled', 'deleted'] as const;
export type ResidentState = (typeof residentStates)[number];

export const maxKeys = 20;

/** Everything that decides whether a command is allowed, besides the manager's rights. */
export type ResidentCommandConditions = {
  readonly state: ResidentState;
  readonly keyCount: number;
  /**
   * Whether the manager's RetentionDays shows the resident; after the command itself has deleted the resident, it may
   * not.
   */
  readonly isVisible: boolean;
};

export type CommandRefusal = ProblemReason<'command-not-allowed'>;

export function residentStateOf({
  enabled,
  deleted_at,
}: {
  readonly enabled: number;
  readonly deleted_at: number | null;
}): ResidentState {
  if (deleted_at !== null) return 'deleted';
  return enabled === 1 ? 'active' : 'disabled';
}

/** Undefined if the command is allowed. */
export function findCommandRefusal(
  command: ResidentCommand,
  { state, keyCount, isVisible }: ResidentCommandConditions,
): CommandRefusal | undefined {
  if (command === 'Restore' && state !== 'deleted') return 'not-deleted';
  if (command === 'Restore') return isVisible ? undefined : 'not-retained';
  if (state === 'deleted') return 'deleted';
  if (command === 'Enable') return state === 'disabled' ? undefined : 'not-disabled';
  if (command === 'Disable' || command === 'RenewActivation') return state === 'active' ? undefined : 'not-active';
  if (command === 'AddKey') return keyCount < maxKeys ? undefined : 'too-many-keys';
  return command === 'RemoveKey' && keyCount === 0 ? 'no-keys' : undefined;
}

/** Whether other lists show the change: accounts, receipts and bookings. */
export const isShownElsewhere = (command: ResidentCommand): boolean =>
  ['SetName', 'SetLocation', 'Delete', 'Restore'].includes(command);
