// Reads what a computer has to know, in one snapshot of the database: everything, or what has changed since a version.

import type { Db } from '../../database/db.ts';
import type { ComputerContext } from '../../http/context/operation-context.ts';
import { formatBankKid, formatLocationKid } from '../../lib/kid.ts';
import type { UnitKey, WholeGrantedBank } from '../../permissions/coverage.ts';
import { listComputerUnits, type ComputerUnitRow } from '../computers/queries/computer-units.ts';
import type { SyncDetail } from '../outbox/queries/outbox.ts';
import type { SubjectKind } from '../outbox/rules/sync-state.ts';
import { createTimeZoneResolver, type TenantRegion } from '../places/rules/location-time-zone.ts';
import {
  isOpeningSetting,
  listDesiredBookings,
  listCommands,
  listExceptions,
  listStoredKeys,
  listOpeningSettings,
  listReversals,
  listSettings,
  readCoordinates,
  type SettingRow,
  type VersionRange,
} from './queries/desired-values.ts';
import type { OutboxRecord } from './queries/outbox-records.ts';
import type { AddressThing, DesiredThing, HoursThing } from './rules/desired-thing.ts';
import {
  keyTextOf,
  toBookingThing,
  toCommandThing,
  toHoursThing,
  toKeyThings,
  toPostingThing,
  toSettingThing,
  unitKidOf,
} from './rules/to-things.ts';

export type ComputerOfThings = {
  readonly bank: WholeGrantedBank;
  readonly computerId: number;
  readonly name: string;
  readonly tenant: TenantRegion;
  /** MS2000. */
  readonly now: number;
};

export const toComputerOfThings = ({ bank, computer, tenant, currentTime }: ComputerContext): ComputerOfThings => ({
  bank,
  computerId: computer.computerId,
  name: computer.name,
  tenant,
  now: currentTime,
});

/** A thing, and the record of the outbox by which it has changed. */
type RecordedThing = {
  readonly syncId: number;
  readonly thing: DesiredThing;
  /** A thing of hours also tells the other days: these are their records. */
  readonly otherSyncIds?: readonly number[];
};

/** What is done once, and not a state that lasts. */
export const unrepeatableKinds: readonly SubjectKind[] = ['posting', 'command'];

/** The newest value of each thing that the records name. A record that another one has overtaken names nothing. */
export async function readChangedThings(
  db: Db,
  computer: ComputerOfThings,
  records: readonly OutboxRecord[],
  range: VersionRange,
): Promise<RecordedThing[]> {
  const { bank, name } = computer;
  const units = await listComputerUnits(db, bank, name);
  const ofKind = (kind: SubjectKind): OutboxRecord[] => records.filter((record) => record.subject_kind === kind);
  const [settings, keys, bookings, addresses, once] = await Promise.all([
    ofKind('setting').length === 0 ? [] : listSettings(db, bank, { computerName: name, range }),
    readChangedKeys(db, computer, ofKind('resident'), units),
    readChangedBookings(db, computer, ofKind('booking')),
    readChangedAddresses(db, computer, ofKind('place-address')),
    readOnceThings(
      db,
      computer,
      records.filter(({ subject_kind }) => unrepeatableKinds.includes(subject_kind)),
    ),
  ]);
  const hours = await readChangedHours(db, computer, settings, units);
  return [
    ...settings.filter((row) => !isOpeningSetting(row.name)).flatMap((row) => toRecordedSetting(computer, row)),
    ...hours,
    ...keys,
    ...bookings,
    ...addresses,
    ...once,
  ].toSorted((a, b) => a.syncId - b.syncId);
}

function toRecordedSetting({ bank }: ComputerOfThings, row: SettingRow): RecordedThing[] {
  const thing = toSettingThing(bank, row);
  return thing === undefined || row.sync_id === null ? [] : [{ syncId: row.sync_id, thing }];
}

export async function readHours(
  db: Db,
  { bank, name, tenant }: ComputerOfThings,
  units: readonly ComputerUnitRow[],
  only?: readonly UnitKey[],
): Promise<HoursThing[]> {
  const chosen = only === undefined ? units : units.filter((unit) => only.some((key) => isUnit(unit, key)));
  const locationIds = [...new Set(chosen.map(({ location_id }) => location_id))];
  const [rows, exceptions] = await Promise.all([
    listOpeningSettings(db, bank, { computerName: name, units: only }),
    listExceptions(db, bank, locationIds),
  ]);
  const resolveTimeZone = createTimeZoneResolver(tenant);
  return chosen.flatMap((unit) => {
    const ofUnit = rows.filter((row) => row.location_id === unit.location_id && row.unit_id === unit.unit_id);
    return (
      toHoursThing(bank, {
        unit: { ...unit, time_zone: resolveTimeZone(unit.time_zone) },
        texts: new Map(ofUnit.map((row) => [row.name, row.value])),
        exceptions: exceptions.filter(({ location_id }) => location_id === unit.location_id),
      }) ?? []
    );
  });
}

const isUnit = (row: { location_id: number; unit_id: number }, { locationId, unitId }: UnitKey): boolean =>
  row.location_id === locationId && row.unit_id === unitId;

/** The hours of a unit are one thing, whichever of its days has changed. */
async function readChangedHours(
  db: Db,
  computer: ComputerOfThings,
  settings: readonly SettingRow[],
  units: readonly ComputerUnitRow[],
): Promise<RecordedThing[]> {
  const { bank } = computer;
  const opening = settings.filter(({ name }) => isOpeningSetting(name));
  const rowsByUnit = Map.groupBy(opening, (row) => unitKidOf(bank, row));
  if (rowsByUnit.size === 0) return [];
  const only = opening.map(({ location_id, unit_id }) => ({
    bankId: bank.bankId,
    locationId: location_id,
    unitId: unit_id,
  }));
  const hours = await readHours(db, computer, units, only);
  return hours.map((thing) => {
    const syncIds = rowsByUnit.get(thing.unit)?.map(({ sync_id }) => sync_id ?? 0) ?? [];
    const syncId = Math.max(...syncIds);
    return { syncId, thing, otherSyncIds: syncIds.filter((each) => each !== syncId) };
  });
}

/** Every key that the residents have, and those that ended with a change: as it is now, whoever has it. */
async function readChangedKeys(
  db: Db,
  { bank, now }: ComputerOfThings,
  records: readonly OutboxRecord[],
  units: readonly ComputerUnitRow[],
): Promise<RecordedThing[]> {
  if (records.length === 0) return [];
  const residentIds = [...new Set(records.map(({ subject_id }) => subject_id))];
  const endedBy = records.map((record) => ({ ...record, endedKeys: parseDetail(record)?.endedKeys ?? [] }));
  const ended = endedBy.flatMap(({ endedKeys }) => endedKeys);
  const own = await listStoredKeys(db, bank, { residentIds, numbers: [] });
  const numbers = [...own.map(({ key_number }) => key_number), ...ended.map(numberOf)];
  const rows = await listStoredKeys(db, bank, { residentIds: [], numbers: [...new Set(numbers)] });
  const syncIds = new Map<string, number>();
  const note = (key: string, syncId: number): void => void syncIds.set(key, Math.max(syncId, syncIds.get(key) ?? 0));
  for (const { sync_id, subject_id, endedKeys } of endedBy) {
    for (const key of endedKeys) note(key, sync_id);
    for (const row of own) if (row.resident_id === subject_id) note(keyTextOf(row), sync_id);
  }
  const unitKids = units.map((unit) => unitKidOf(bank, unit));
  return toKeyThings(bank, syncIds.keys(), { rows, units: unitKids, now }).map((thing) => ({
    syncId: syncIds.get(thing.key) ?? 0,
    thing,
  }));
}

const numberOf = (key: string): string => key.slice(key.indexOf(':') + 1);

const parseDetail = ({ detail }: OutboxRecord): SyncDetail | undefined =>
  detail === null ? undefined : (JSON.parse(detail) as SyncDetail);

async function readChangedBookings(
  db: Db,
  { bank, name }: ComputerOfThings,
  records: readonly OutboxRecord[],
): Promise<RecordedThing[]> {
  if (records.length === 0) return [];
  const eventIds = records.map(({ subject_id }) => subject_id);
  const rows = await listDesiredBookings(db, bank, { computerName: name, selection: { eventIds } });
  const byEvent = new Map(records.map((record) => [record.subject_id, record.sync_id]));
  return rows.flatMap((row) => {
    // An earlier event of the booking: the record of the latest one comes later.
    const syncId = byEvent.get(row.event_id);
    return syncId === undefined ? [] : [{ syncId, thing: toBookingThing(bank, row) }];
  });
}

/** Reversals of what the computer has sent, and commands that have not expired and are not done. */
export async function readOnceThings(
  db: Db,
  { bank, computerId, now }: ComputerOfThings,
  records: readonly OutboxRecord[],
): Promise<RecordedThing[]> {
  const bySubject = (kind: SubjectKind): Map<number, number> =>
    new Map(records.filter((each) => each.subject_kind === kind).map((each) => [each.subject_id, each.sync_id]));
  const postings = bySubject('posting');
  const commands = bySubject('command');
  const [reversals, rows] = await Promise.all([
    listReversals(db, bank, { computerId, postingIds: [...postings.keys()] }),
    listCommands(db, bank, [...commands.keys()]),
  ]);
  return [
    ...reversals.map(({ posting_id, ref }) => ({
      syncId: postings.get(posting_id) ?? 0,
      thing: toPostingThing(bank, { posting_id, ref: ref ?? '' }),
    })),
    ...rows
      .filter(({ expires_at, finished_at }) => expires_at > now && finished_at === null)
      .map((row) => ({ syncId: commands.get(row.command_id) ?? 0, thing: toCommandThing(bank, row) })),
  ].toSorted((a, b) => a.syncId - b.syncId);
}

/** The bank, and those of its locations and units that the computer is at. */
export async function readAddresses(db: Db, { bank, name }: ComputerOfThings): Promise<AddressThing[]> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const { bank: own, locations, units } = await readCoordinates(db, bank, name);
  type Coordinates = Pick<AddressThing, 'latitude' | 'longitude'>;
  const toThing = (kid: string, { latitude, longitude }: Coordinates): AddressThing => {
    return { kind: 'address', kid, latitude, longitude };
  };
  return [
    ...(own === undefined ? [] : [toThing(bankKid, own)]),
    ...locations.map((row) => toThing(formatLocationKid(bankKid, row.location_id), row)),
    ...units.map((row) => toThing(unitKidOf(bank, row), row)),
  ];
}

async function readChangedAddresses(
  db: Db,
  computer: ComputerOfThings,
  records: readonly OutboxRecord[],
): Promise<RecordedThing[]> {
  if (records.length === 0) return [];
  const { bank } = computer;
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const newest = new Map<string, number>();
  for (const { sync_id, location_id, unit_id } of records) {
    const locationKid = formatLocationKid(bankKid, location_id);
    const kid = unit_id !== 0 ? unitKidOf(bank, { location_id, unit_id }) : location_id !== 0 ? locationKid : bankKid;
    newest.set(kid, sync_id);
  }
  const things = await readAddresses(db, computer);
  return things.flatMap((thing) => {
    const syncId = newest.get(thing.kid);
    return syncId === undefined ? [] : [{ syncId, thing }];
  });
}
