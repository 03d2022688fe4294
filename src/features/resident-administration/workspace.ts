// Makes the workspace of a resident: everything that a manager administers, and the commands with the reasons against them.

import type { Db } from '../../database/db.ts';
import { findMissingRightReason } from '../../http/context/authorize.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import type { Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { tooNarrowReason, type Rights } from '../../permissions/needs.ts';
import { isWhole, type GrantedBank } from '../../permissions/coverage.ts';
import { residentCommandAccess } from './access.ts';
import { isResidentVisible } from '../residents/rules/resident-visibility.ts';
import { findActivation, listKeys, type ActivationRow, type ResidentKeyRow } from './queries/resident-details.ts';
import type { ResidentRow } from './queries/residents.ts';
import { readResidentItems } from './resident-items.ts';
import { isStanding } from './rules/activation.ts';
import {
  findCommandRefusal,
  residentCommands,
  residentStateOf,
  type ResidentCommand,
  type ResidentCommandConditions,
} from './rules/commands.ts';
import type { KeyKind } from './rules/field-values.ts';
import type { ResidentFlag, Workspace } from './schemas.ts';
import { readUpcomingBookings } from './upcoming-bookings.ts';

/** A resident whom the manager may see. */
export type VisibleResident = { readonly bank: GrantedBank; readonly row: ResidentRow };

export async function readWorkspace(
  db: Db,
  context: ManagerContext,
  { bank, row }: VisibleResident,
): Promise<Workspace> {
  const residentId = row.resident_id;
  const [[user], keys, activation, upcomingBookings] = await Promise.all([
    readResidentItems(db, bank, [row], context),
    listKeys(db, bank, residentId),
    findActivation(db, bank, residentId),
    readUpcomingBookings(db, context, { bank, residentId }),
  ]);
  const conditions = toCommandConditions(row, keys, context);
  return {
    user: user!,
    language: row.language as Language,
    keys: keys.map(({ key_number, kind, added_at }) => ({
      key: key_number,
      kind: kind as KeyKind,
      addedAtUtc: formatUtc(added_at),
    })),
    flags: listFlags(row, activation, context.now),
    upcomingBookings,
    commands: residentCommands.map((command) => {
      const reason =
        findMissingReason(command, bank, context.principal) ?? findCommandRefusal(command, conditions) ?? null;
      return { command, allowed: reason === null, reason };
    }),
    revision: String(row.revision),
  };
}

/** What decides the commands on a resident. */
export const toCommandConditions = (
  row: ResidentRow,
  keys: readonly ResidentKeyRow[],
  { scope, now }: Pick<ManagerContext, 'scope' | 'now'>,
): ResidentCommandConditions => ({
  state: residentStateOf(row),
  keyCount: keys.length,
  isVisible: isResidentVisible(row, scope.retentionDays, now),
});

/** The reason of the 403 with which the manager's rights refuse a command. */
const findMissingReason = (command: ResidentCommand, bank: GrantedBank, rights: Rights): string | undefined =>
  findMissingRightReason(residentCommandAccess(command), rights) ?? (isWhole(bank) ? undefined : tooNarrowReason);

function listFlags(
  { has_pin }: Pick<ResidentRow, 'has_pin'>,
  activation: ActivationRow | undefined,
  now: number,
): ResidentFlag[] {
  const flags: ResidentFlag[] = has_pin === 1 ? ['HasPin'] : [];
  if (activation === undefined) return flags;
  if (activation.used_at !== null) return [...flags, 'Activated'];
  return [...flags, isStanding(activation, now) ? 'ActivationPending' : 'ActivationExpired'];
}
