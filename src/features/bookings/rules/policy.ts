// Parses a unit's booking policy from its stored settings in the group Booking. Booking rules, checks and commands use
// it.

import { bookingSettings } from '../../units/catalogue/booking-settings.ts';
import { selectVisibleValues } from '../../units/catalogue/type-catalogue.ts';
import type { ValueDefinition } from '../../units/catalogue/value-definition.ts';
import { formatStoredText, parseStoredText } from '../../units/rules/stored-text.ts';

/** Durations are in minutes, the horizon is in days, times of day are `HH:MM`, and amounts are in minor units. */
export type BookingPolicy = {
  readonly bookable: boolean;
  readonly calendar: string | null;
  readonly horizonDays: number | null;
  readonly noticeMinutes: number | null;
  readonly maxOpen: number | null;
  readonly maxPerDay: number | null;
  readonly maxPerWeek: number | null;
  readonly maxPerMonth: number | null;
  readonly minLengthMinutes: number | null;
  readonly maxLengthMinutes: number | null;
  readonly stepMinutes: number | null;
  readonly from: string | null;
  readonly through: string | null;
  readonly outside: string | null;
  readonly lastStart: string | null;
  readonly cancelDeadlineMinutes: number | null;
  readonly holdMinutes: number | null;
  readonly priceMinor: bigint | null;
  readonly refundPercent: number | null;
  readonly cancelFeeMinor: bigint | null;
  readonly noShowFeeMinor: bigint | null;
  readonly for: string | null;
  readonly tag: string | null;
  readonly quietFrom: string | null;
  readonly quietThrough: string | null;
};

/** The names of all settings that a policy is parsed from. */
export const policySettings: readonly string[] = bookingSettings.map(({ name }) => name);

const defaultValues: ReadonlyMap<string, string> = new Map(
  bookingSettings.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback] as const])),
);

/** The policy of a unit with these stored values, by setting. An invalid or blank value counts as not set. */
export function parsePolicy(storedValues: ReadonlyMap<string, string>): BookingPolicy {
  const validValues = selectValidValues(storedValues);
  const text = (name: string): string | null => validValues.get(name) ?? defaultValues.get(name) ?? null;
  const number = (name: string): number | null => mapNullable(text(name), Number);
  const minor = (name: string): bigint | null => mapNullable(text(name), BigInt);
  return {
    bookable: text('Bookable') === 'true',
    calendar: text('BookingCalendar'),
    horizonDays: number('BookingHorizon'),
    noticeMinutes: number('BookingNotice'),
    maxOpen: number('BookingMaxOpen'),
    maxPerDay: number('BookingMaxPerDay'),
    maxPerWeek: number('BookingMaxPerWeek'),
    maxPerMonth: number('BookingMaxPerMonth'),
    minLengthMinutes: number('BookingMinLength'),
    maxLengthMinutes: number('BookingMaxLength'),
    stepMinutes: number('BookingStep'),
    from: text('BookingFrom'),
    through: text('BookingThrough'),
    outside: text('BookingOutside'),
    lastStart: text('BookingLastStart'),
    cancelDeadlineMinutes: number('BookingCancelDeadline'),
    holdMinutes: number('BookingHold'),
    priceMinor: minor('BookingPrice'),
    refundPercent: number('BookingRefund'),
    cancelFeeMinor: minor('BookingCancelFee'),
    noShowFeeMinor: minor('BookingNoShowFee'),
    for: text('BookingFor'),
    tag: text('BookingTag'),
    quietFrom: text('BookingQuietFrom'),
    quietThrough: text('BookingQuietThrough'),
  };
}

/**
 * The policy of a unit of a type; undefined stands for an unknown type. A setting that the type does not have counts as
 * not set: a washer that was changed to a door is not bookable, although its values are still stored.
 */
export const parseUnitPolicy = (
  typeCode: number | undefined,
  storedValues: ReadonlyMap<string, string>,
): BookingPolicy => parsePolicy(selectVisibleValues(typeCode, storedValues));

/** The names of the settings whose stored values are invalid, in the order of the catalogue. */
export function listInvalidSettings(storedValues: ReadonlyMap<string, string>): string[] {
  const invalid = bookingSettings.filter((definition) => {
    const value = storedValues.get(definition.name);
    return value !== undefined && !isValidStoredValue(definition, value);
  });
  return invalid.map(({ name }) => name);
}

function selectValidValues(storedValues: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const values = bookingSettings.map((definition) => [definition, storedValues.get(definition.name) ?? ''] as const);
  const validValues = values.filter(
    ([definition, value]) => value.trim() !== '' && isValidStoredValue(definition, value),
  );
  return new Map(validValues.map(([{ name }, value]) => [name, value]));
}

/** Whether a write could have stored this text. */
function isValidStoredValue(definition: ValueDefinition, stored: string): boolean {
  const value = parseStoredText(definition, stored);
  if (value === null) return false;
  const formatted = formatStoredText(definition, value);
  return 'text' in formatted && formatted.text === stored;
}

const mapNullable = <T>(text: string | null, map: (text: string) => T): T | null => (text === null ? null : map(text));
