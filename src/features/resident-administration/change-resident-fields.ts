// Applies a command to the fields of a resident: decides which columns change, and writes keys and codes.

import { randomBytes } from 'node:crypto';
import type { WriteDb } from '../../database/db.ts';
import { formatBankKid, formatKid, formatLocationKid } from '../../lib/kid.ts';
import { hourlyWindowMs, secondsUntilNext } from '../../lib/queues/hourly-limit.ts';
import { Problem } from '../../lib/problem.ts';
import { formatReadableCode } from '../../lib/text/readable-code.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import { listCommandTimes, type ResidentKeyRow } from './queries/resident-details.ts';
import type { ResidentRow } from './queries/residents.ts';
import {
  deleteKey,
  hasLocation,
  holdKeys,
  insertKey,
  replaceActivation,
  type ResidentColumns,
} from './queries/write-resident.ts';
import { activationCodeBytes, maxRenewalsPerHour } from './rules/activation.ts';
import { createInvalidUserProblem, isFieldAction, type ResidentAction } from './rules/command-values.ts';
import { fieldOf, isPersonal, textOf, toColumns, type FieldAction } from '../residents/fields.ts';
import { formatKey, type ResidentKeyNumber } from '../residents/rules/resident-key.ts';

export type AppliedAction = {
  readonly columns: ResidentColumns;
  /** For the history; null for a secret. */
  readonly oldValue: string | null;
  readonly newValue: string | null;
  /** Keys that devices have to forget, and that are no longer stored. */
  readonly endedKeys?: readonly string[];
  /** Others may then have the resident's keys. */
  readonly releasesKeys?: true;
  /** The keys that the resident then has, if the resident's search words have changed. */
  readonly keys?: readonly ResidentKeyRow[];
};

type ActionTarget = { readonly bank: GrantedBank; readonly row: ResidentRow; readonly keys: readonly ResidentKeyRow[] };

/** Undefined if nothing changes. Throws a Problem if the value does not fit what is stored. */
export async function applyAction(
  db: WriteDb,
  now: number,
  target: ActionTarget,
  { action, pinHash }: { readonly action: ResidentAction; readonly pinHash: string | null },
): Promise<AppliedAction | undefined> {
  const { bank, row } = target;
  if (isFieldAction(action)) return changeField(target, action);
  switch (action.command) {
    case 'SetLocation':
      return changeLocation(db, target, action.value);
    case 'SetPin':
      if (pinHash === null && row.has_pin === 0) return undefined;
      return { columns: { pin_hash: pinHash }, oldValue: null, newValue: null };
    case 'AddKey':
      return addKey(db, target, action.value, now);
    case 'RemoveKey':
      return removeKey(db, target, action.value);
    case 'Enable':
    case 'Disable':
      return { columns: { enabled: action.command === 'Enable' ? 1 : 0 }, oldValue: null, newValue: null };
    case 'Delete':
      return { columns: { deleted_at: now }, oldValue: null, newValue: null, releasesKeys: true };
    case 'Restore':
      await orDuplicateProblem(db, 'key-exists', () => holdKeys(db, bank, [row.resident_id], { held: true }));
      return { columns: { deleted_at: null, enabled: 0 }, oldValue: null, newValue: null };
    case 'RenewActivation':
      return renewActivation(db, target, now);
  }
}

function changeField({ row, keys }: ActionTarget, { command, value }: FieldAction): AppliedAction | undefined {
  const field = fieldOf(command);
  const newValue = textOf(value);
  if (row[field] === newValue) return undefined;
  return {
    columns: toColumns({ [field]: value }),
    oldValue: row[field],
    newValue,
    ...(isPersonal(field) ? { keys } : {}),
  };
}

async function changeLocation(
  db: WriteDb,
  { bank, row }: ActionTarget,
  kid: (ResidentAction & { command: 'SetLocation' })['value'],
): Promise<AppliedAction | undefined> {
  const locationId = kid?.locationId ?? null;
  if (kid !== null && (kid.bankId !== bank.bankId || !(await hasLocation(db, bank, kid.locationId))))
    throw createInvalidUserProblem('body.value', 'must be the KID of a location of the bank');
  if (locationId === row.location_id) return undefined;
  return {
    columns: { location_id: locationId },
    oldValue:
      row.location_id === null ? null : formatLocationKid(formatBankKid(bank.tenant, bank.bankId), row.location_id),
    newValue: kid === null ? null : formatKid(kid),
  };
}

async function addKey(
  db: WriteDb,
  { bank, row, keys }: ActionTarget,
  key: ResidentKeyNumber,
  now: number,
): Promise<AppliedAction | undefined> {
  if (keys.some(isKey(key))) return undefined;
  // A number is one key of the tenant, a tag or a card.
  await orDuplicateProblem(db, 'key-exists', () => insertKey(db, bank, row.resident_id, key, now));
  const added = { key_number: key.number, kind: key.kind, added_at: now };
  return { columns: {}, oldValue: null, newValue: key.number, keys: [...keys, added] };
}

async function removeKey(
  db: WriteDb,
  { bank, row, keys }: ActionTarget,
  key: ResidentKeyNumber,
): Promise<AppliedAction> {
  if (!keys.some(isKey(key))) throw createInvalidUserProblem('body.value', 'must be a key of the resident');
  const { number } = key;
  await deleteKey(db, bank, row.resident_id, number);
  const others = keys.filter(({ key_number }) => key_number !== number);
  return { columns: {}, oldValue: number, newValue: null, keys: others, endedKeys: [formatKey(key)] };
}

async function renewActivation(db: WriteDb, { bank, row }: ActionTarget, now: number): Promise<AppliedAction> {
  const command = 'RenewActivation';
  const renewals = await listCommandTimes(db, bank, row.resident_id, { command, since: now - hourlyWindowMs });
  const waitSeconds = secondsUntilNext(renewals, maxRenewalsPerHour, now);
  if (waitSeconds > 0) throw new Problem('too-many-renewals', { retryAfterSeconds: waitSeconds });
  const code = formatReadableCode(randomBytes(activationCodeBytes));
  await replaceActivation(db, bank, { residentId: row.resident_id, code }, now);
  return { columns: {}, oldValue: null, newValue: null };
}

const isKey =
  ({ kind, number }: ResidentKeyNumber) =>
  (key: ResidentKeyRow): boolean =>
    key.kind === kind && key.key_number === number;
