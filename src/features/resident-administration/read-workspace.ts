// Reads the workspace of a resident: everything that a manager administers, and the commands with the reasons against
// them.

import type { Db } from '../../database/db.ts';
import { findMissingRightReason, isAuthorized } from '../../http/requests/authorize.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import type { Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { tooNarrowReason, type Rights } from '../../permissions/needs.ts';
import { coveredLocationIds, isWhole, type GrantedBank } from '../../permissions/coverage.ts';
import { residentCommandAccess } from './access.ts';
import type { KeyKind } from '../residents/rules/resident-key.ts';
import { isResidentVisible } from '../residents/rules/resident-visibility.ts';
import { findActivation, listKeys, type ResidentKeyRow } from './queries/resident-details.ts';
import type { ResidentRow } from './queries/residents.ts';
import { readResidents } from './read-residents.ts';
import { codeStateOf, findCodeRefusal, type CodeState } from './rules/activation.ts';
import {
  findCommandRefusal,
  residentCommands,
  residentStateOf,
  type ResidentCommand,
  type ResidentCommandConditions,
} from './rules/allowed-commands.ts';
import type { ResidentFlag, ResidentWorkspace } from './schemas.ts';
import { bookingCommandAccess, bookingsReadAccess } from '../bookings/access.ts';
import { readBookings } from '../bookings/read-bookings.ts';
import { listBookingsByStart } from '../bookings/queries/bookings.ts';
import type { Booking } from '../bookings/schemas.ts';
import { toVisibleCriteria } from '../bookings/rules/booking-criteria.ts';
import { maxBookingLengthMs } from '../bookings/rules/slots.ts';
import { listDeletedLocationIds } from '../places/queries/locations.ts';
import { readIdentityVisibility } from '../residents/queries/retention-setting.ts';

/** A resident whom the manager may see. */
export type VisibleResident = { readonly bank: GrantedBank; readonly row: ResidentRow };

export async function readWorkspace(
  db: Db,
  context: ManagerContext,
  { bank, row }: VisibleResident,
): Promise<ResidentWorkspace> {
  const residentId = row.resident_id;
  const [[user], keys, activation, upcomingBookings] = await Promise.all([
    readResidents(db, bank, [row], context),
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
    flags: listFlags(row, codeStateOf(activation, context.now)),
    upcomingBookings,
    commands: residentCommands.map((command) => {
      const reason =
        findMissingReason(command, bank, context.principal) ?? findCommandRefusal(command, conditions) ?? null;
      return { command, allowed: reason === null, reason };
    }),
    revision: String(row.revision),
  };
}

/** The state that decides which commands are allowed. */
const toCommandConditions = (
  row: ResidentRow,
  keys: readonly ResidentKeyRow[],
  { scope, now }: Pick<ManagerContext, 'scope' | 'now'>,
): ResidentCommandConditions => ({
  state: residentStateOf(row),
  keyCount: keys.length,
  isVisible: isResidentVisible(row, scope.retentionDays, now),
});

/** The reason of the 403 if the manager lacks a right for the command. */
const findMissingReason = (command: ResidentCommand, bank: GrantedBank, rights: Rights): string | undefined =>
  findMissingRightReason(residentCommandAccess(command), rights) ?? (isWhole(bank) ? undefined : tooNarrowReason);

const codeFlags: Readonly<Record<CodeState, readonly ResidentFlag[]>> = {
  none: [],
  used: ['Activated'],
  expired: ['ActivationExpired'],
  pending: ['ActivationPending'],
};

function listFlags(row: ResidentRow, code: CodeState): ResidentFlag[] {
  const flags: ResidentFlag[] = row.has_pin === 1 ? ['HasPin'] : [];
  const isPending = findCodeRefusal(residentStateOf(row), code) === undefined;
  return code === 'pending' && !isPending ? flags : [...flags, ...codeFlags[code]];
}

const maxBookings = 20;
const aheadMs = 367 * 24 * 3600 * 1000;

/** Empty for a manager who may not read bookings. */
async function readUpcomingBookings(
  db: Db,
  { tenant, language, now, scope, principal }: ManagerContext,
  { bank, residentId }: { readonly bank: GrantedBank; readonly residentId: number },
): Promise<Booking[]> {
  if (!isAuthorized(bookingsReadAccess, principal)) return [];
  const [identityVisibility, deletedLocationIds] = await Promise.all([
    readIdentityVisibility(db, scope, now),
    listDeletedLocationIds(db, bank),
  ]);
  const selection = {
    from: now - maxBookingLengthMs,
    to: now + aheadMs,
    locationIds: coveredLocationIds(bank),
    unitId: undefined,
    residentId,
    state: 'Booked' as const,
  };
  const visibility = { bank, deletedLocationIds, identityVisibility, isExpiredResident: false };
  const criteria = toVisibleCriteria(selection, visibility);
  const rows = await listBookingsByStart(db, criteria, { direction: 'asc', offset: 0, limit: maxBookings });
  const canExecuteCommands = isAuthorized(bookingCommandAccess, principal);
  const itemContext = { tenant, language, now, identityVisibility, canExecuteCommands };
  return readBookings(db, { bank, rows: rows.slice(0, maxBookings) }, itemContext);
}
