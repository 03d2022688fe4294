// Turns stored rows into what a computer has to know.

import type { Tables } from '../../../database/tables.ts';
import {
  formatBankKid,
  formatEventKid,
  formatLocationKid,
  formatPostingKid,
  formatUnitKid,
  formatUserKid,
} from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import type { UnitTypeColumns } from '../../places/rules/unit-types.ts';
import { typeCodeOf } from '../../places/rules/unit-types.ts';
import { mayUseKeys, type KeyHolderColumns } from '../../residents/rules/key-use.ts';
import { formatKey, type KeyKind } from '../../residents/rules/resident-key.ts';
import { openingSettingNames } from '../../units/catalogue/opening-settings.ts';
import { typeCatalogueOf } from '../../units/catalogue/type-catalogue.ts';
import { parseStoredText } from '../../units/rules/stored-text.ts';
import type { BookingThing, CommandThing, HoursThing, KeyThing, PostingThing, SettingThing } from './desired-thing.ts';

/** The bank whose things they are. */
type BankOfThings = { readonly tenant: string; readonly bankId: number };

type UnitColumns = { readonly location_id: number; readonly unit_id: number };

const bankKidOf = ({ tenant, bankId }: BankOfThings): string => formatBankKid(tenant, bankId);

export const unitKidOf = (bank: BankOfThings, { location_id, unit_id }: UnitColumns): string =>
  formatUnitKid(formatLocationKid(bankKidOf(bank), location_id), unit_id);

type SettingColumns = UnitColumns &
  UnitTypeColumns & { readonly name: string; readonly value: string | null; readonly version: number };

/** Undefined for a setting that only the equipment writes, or that the type of the unit does not have. */
export function toSettingThing(bank: BankOfThings, row: SettingColumns): SettingThing | undefined {
  const definition = typeCatalogueOf(typeCodeOf(row)).visibleByName.get(row.name);
  if (definition === undefined || definition.kind !== 'Setting' || !definition.editable) return undefined;
  return {
    kind: 'setting',
    unit: unitKidOf(bank, row),
    name: row.name,
    value: parseStoredText(definition, row.value),
    revision: String(row.version),
  };
}

type HoursInput = {
  readonly unit: UnitColumns & { readonly time_zone: string };
  /** The stored texts by setting. */
  readonly texts: ReadonlyMap<string, string | null>;
  /**
   * The exceptions of the unit's location, in the order of days; unit 0 is every unit without an exception of its own
   * on that day.
   */
  readonly exceptions: readonly { readonly unit_id: number; readonly day: string; readonly intervals: string }[];
};

/** Undefined where nobody ever wrote hours of the unit. Hours that were taken back are not known: nulls. */
export function toHoursThing(bank: BankOfThings, { unit, texts, exceptions }: HoursInput): HoursThing | undefined {
  const byDay = new Map<string, string>();
  for (const { unit_id, day, intervals } of exceptions) {
    if (unit_id === unit.unit_id || (unit_id === 0 && !byDay.has(day))) byDay.set(day, intervals);
  }
  const weekly = openingSettingNames.map((name) => texts.get(name) ?? null);
  if (texts.size === 0) return undefined;
  return {
    kind: 'hours',
    unit: unitKidOf(bank, unit),
    weekly,
    exceptions: [...byDay]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, intervals]) => ({ date, intervals: intervals === '' ? 'closed' : intervals })),
    timeZone: unit.time_zone,
  };
}

export type StoredKey = KeyHolderColumns & Pick<Tables['resident_keys'], 'kind' | 'key_number' | 'resident_id'>;

export const keyTextOf = ({ kind, key_number }: Pick<StoredKey, 'kind' | 'key_number'>): string =>
  formatKey({ kind: kind as KeyKind, number: key_number });

/**
 * The state of each key that is named, in this order: of whoever may use it, or removed where nobody may. A number can be
 * stored for several residents, of whom at most one may use it.
 */
export function toKeyThings(
  bank: BankOfThings,
  keys: Iterable<string>,
  {
    rows,
    units,
    now,
  }: { readonly rows: readonly StoredKey[]; readonly units: readonly string[]; readonly now: number },
): KeyThing[] {
  const holders = new Map(rows.filter((row) => mayUseKeys(row, now)).map((row) => [keyTextOf(row), row]));
  return [...keys].map((key): KeyThing => {
    const holder = holders.get(key);
    if (holder === undefined) return { kind: 'key', key, removed: true };
    return {
      kind: 'key',
      key,
      residentKid: formatUserKid(bankKidOf(bank), holder.resident_id),
      units,
      until: holder.expired_at === null ? null : formatUtc(holder.expired_at),
    };
  });
}

type BookingColumns = UnitColumns &
  Pick<Tables['bookings'], 'user_id' | 'start_at' | 'end_at' | 'state' | 'event_id'> & {
    readonly first_event_id: number | null;
  };

export const toBookingThing = (bank: BankOfThings, row: BookingColumns): BookingThing => ({
  kind: 'booking',
  bookingKid: formatEventKid(bankKidOf(bank), row.first_event_id ?? row.event_id),
  unit: unitKidOf(bank, row),
  residentKid: formatUserKid(bankKidOf(bank), row.user_id),
  from: formatUtc(row.start_at),
  to: formatUtc(row.end_at),
  state: row.state,
});

export const toPostingThing = (
  bank: BankOfThings,
  { posting_id, ref }: { readonly posting_id: number; readonly ref: string },
): PostingThing => ({ kind: 'posting', posting: formatPostingKid(bankKidOf(bank), posting_id), reverses: ref });

type CommandColumns = UnitColumns & { readonly command_id: number; readonly name: string; readonly expires_at: number };

export const toCommandThing = (bank: BankOfThings, row: CommandColumns): CommandThing => ({
  kind: 'command',
  id: `C${row.command_id}`,
  unit: unitKidOf(bank, row),
  name: row.name,
  expiresAt: formatUtc(row.expires_at),
});
