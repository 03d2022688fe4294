// Reads the newest values of what a computer has to know: all of them, or those that a part of the outbox names.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { GrantedBank, UnitKey } from '../../../permissions/coverage.ts';
import { openingSettingNames } from '../../units/catalogue/opening-settings.ts';

/** The versions after one, through another. */
export type VersionRange = { readonly after: number; readonly through: number };

type OfComputer = { readonly computerName: string };

const selectSettings = (db: Db, bankId: number, { computerName }: OfComputer) =>
  db
    .selectFrom('units as u')
    .innerJoin('unit_settings as s', onEqual('s', 'u', 'bank_id', 'location_id', 'unit_id'))
    .where('u.bank_id', '=', bankId)
    .where('u.computer_name', '=', computerName)
    .where('u.deleted_at', 'is', null);

/** The settings of the computer's units without opening hours; with a range, those that were written in it. */
export const listSettings = (
  db: Db,
  { bankId }: GrantedBank,
  { computerName, range }: OfComputer & { readonly range?: VersionRange | undefined },
) =>
  selectSettings(db, bankId, { computerName })
    .select(['u.location_id', 'u.unit_id', 'u.unit_type', 'u.packed_type'])
    .select(['s.name', 's.value', 's.version', 's.sync_id'])
    .$if(range !== undefined, (query) =>
      query.where('s.sync_id', '>', range?.after ?? 0).where('s.sync_id', '<=', range?.through ?? 0),
    )
    .execute();

export type SettingRow = Awaited<ReturnType<typeof listSettings>>[number];

export const isOpeningSetting = (name: string): boolean => openingSettingNames.includes(name);

/** The opening settings of the computer's units; with units, only theirs. */
export const listOpeningSettings = (
  db: Db,
  { bankId }: GrantedBank,
  { computerName, units }: OfComputer & { readonly units?: readonly UnitKey[] | undefined },
) =>
  selectSettings(db, bankId, { computerName })
    .select(['u.location_id', 'u.unit_id', 's.name', 's.value'])
    .where('s.name', 'in', openingSettingNames)
    .$if(units !== undefined, (query) => query.where(isOneOf(units ?? [])))
    .execute();

const isOneOf = (units: readonly UnitKey[]) =>
  units.length === 0
    ? sql<SqlBool>`1 = 0`
    : sql<SqlBool>`(${sql.join(
        units.map(({ locationId, unitId }) => sql`(u.location_id = ${locationId} and u.unit_id = ${unitId})`),
        sql` or `,
      )})`;

/** Exceptions of all times: which of them are past depends on a clock, and two clocks would disagree. */
export const listExceptions = (db: Db, { bankId }: GrantedBank, locationIds: readonly number[]) =>
  locationIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('opening_exceptions')
        .select(['location_id', 'unit_id', 'day', 'intervals'])
        .where('bank_id', '=', bankId)
        .where('location_id', 'in', locationIds)
        .orderBy('day')
        .execute();

type KeySelection =
  | 'all'
  /** The keys of these residents, and these numbers, whoever has them now. */
  | { readonly residentIds: readonly number[]; readonly numbers: readonly string[] };

/** Keys with their residents, also of those who may not use them. */
export const listStoredKeys = (db: Db, { bankId }: GrantedBank, selection: KeySelection) =>
  db
    .selectFrom('resident_keys as k')
    .innerJoin('residents as r', onEqual('r', 'k', 'bank_id', 'resident_id'))
    .select(['k.kind', 'k.key_number', 'k.resident_id', 'r.enabled', 'r.deleted_at', 'r.expired_at'])
    .where('k.bank_id', '=', bankId)
    .$if(selection !== 'all', (query) =>
      query.where(({ eb, or, lit }) => {
        if (selection === 'all') return lit(true);
        const { residentIds, numbers } = selection;
        return or([
          residentIds.length === 0 ? lit(false) : eb('k.resident_id', 'in', residentIds),
          numbers.length === 0 ? lit(false) : eb('k.key_number', 'in', numbers),
        ]);
      }),
    )
    .orderBy('k.key_number')
    .execute();

type BookingsToRead =
  /** Those that are booked, and end after a time (MS2000). */
  { readonly endAfter: number } | { readonly eventIds: readonly number[] };

export const listDesiredBookings = (
  db: Db,
  { bankId }: GrantedBank,
  { computerName, selection }: OfComputer & { readonly selection: BookingsToRead },
) =>
  db
    .selectFrom('bookings as b')
    .innerJoin('units as u', onEqual('u', 'b', 'bank_id', 'location_id', 'unit_id'))
    .select(['b.location_id', 'b.unit_id', 'b.user_id', 'b.start_at', 'b.end_at', 'b.state', 'b.event_id'])
    .select(({ selectFrom }) =>
      selectFrom('booking_events as e')
        .select(({ fn }) => fn.min('e.event_id').as('first'))
        .whereRef('e.bank_id', '=', 'b.bank_id')
        .whereRef('e.booking_id', '=', 'b.booking_id')
        .as('first_event_id'),
    )
    .where('b.bank_id', '=', bankId)
    .where('u.computer_name', '=', computerName)
    .where('u.deleted_at', 'is', null)
    .$if('endAfter' in selection, (query) =>
      query.where('b.state', '=', 'Booked').where('b.end_at', '>', 'endAfter' in selection ? selection.endAfter : 0),
    )
    .$if('eventIds' in selection, (query) =>
      query.where('b.booking_id', 'in', (eb) =>
        eb
          .selectFrom('booking_events')
          .select('booking_id')
          .where('bank_id', '=', bankId)
          .where('event_id', 'in', 'eventIds' in selection && selection.eventIds.length > 0 ? selection.eventIds : [0]),
      ),
    )
    .orderBy('b.booking_id')
    .execute();

/** Which of these postings reverse a line that the computer has sent, with the reference of that line. */
export const listReversals = (
  db: Db,
  { bankId }: GrantedBank,
  { computerId, postingIds }: { readonly computerId: number; readonly postingIds: readonly number[] },
) =>
  postingIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('postings as p')
        .innerJoin('money_lines as m', onEqual('m', 'p', 'bank_id', ['posting_id', 'reversal_of']))
        .select(['p.posting_id', 'm.ref'])
        .where('p.bank_id', '=', bankId)
        .where('p.posting_id', 'in', postingIds)
        .where('m.computer_id', '=', computerId)
        .where('m.ref', 'is not', null)
        .execute();

export const listCommands = (db: Db, { bankId }: GrantedBank, commandIds: readonly number[]) =>
  commandIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('unit_commands')
        .select(['command_id', 'location_id', 'unit_id', 'name', 'expires_at', 'finished_at'])
        .where('bank_id', '=', bankId)
        .where('command_id', 'in', commandIds)
        .execute();

/** The coordinates of the bank, and of its locations and units that have some. */
export async function readCoordinates(db: Db, { bankId }: GrantedBank, computerName: string) {
  const [bank, locations, units] = await Promise.all([
    db.selectFrom('banks').select(['latitude', 'longitude']).where('bank_id', '=', bankId).executeTakeFirst(),
    db
      .selectFrom('locations as l')
      .select(['l.location_id', 'l.latitude', 'l.longitude'])
      .where('l.bank_id', '=', bankId)
      .where('l.location_id', 'in', (eb) =>
        eb
          .selectFrom('units')
          .select('location_id')
          .where('bank_id', '=', bankId)
          .where('computer_name', '=', computerName),
      )
      .execute(),
    db
      .selectFrom('units')
      .select(['location_id', 'unit_id', 'latitude', 'longitude'])
      .where('bank_id', '=', bankId)
      .where('computer_name', '=', computerName)
      .where('deleted_at', 'is', null)
      .execute(),
  ]);
  return { bank, locations, units };
}
