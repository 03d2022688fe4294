// Parses a unit's booking policy from its stored settings in the group Booking. Booking rules, checks and commands use
// it.

import { bookingSettings } from '../../units/catalogue/booking-settings.ts';
import { selectVisibleValues } from '../../units/catalogue/type-catalogue.ts';
import type { ValueDefinition } from '../../units/catalogue/value-definition.ts';
import { formatStoredText, parseStoredText } from '../../units/rules/stored-text.ts';

const parsers = { text: String, number: Number, minor: BigInt } as const;

/** The setting of each field, and its type. Durations are in minutes, the horizon is in days, times of day are `HH:MM`. */
const policyFields = {
  calendar: ['BookingCalendar', 'text'],
  horizonDays: ['BookingHorizon', 'number'],
  noticeMinutes: ['BookingNotice', 'number'],
  maxOpen: ['BookingMaxOpen', 'number'],
  maxPerDay: ['BookingMaxPerDay', 'number'],
  maxPerWeek: ['BookingMaxPerWeek', 'number'],
  maxPerMonth: ['BookingMaxPerMonth', 'number'],
  minLengthMinutes: ['BookingMinLength', 'number'],
  maxLengthMinutes: ['BookingMaxLength', 'number'],
  stepMinutes: ['BookingStep', 'number'],
  from: ['BookingFrom', 'text'],
  through: ['BookingThrough', 'text'],
  outside: ['BookingOutside', 'text'],
  lastStart: ['BookingLastStart', 'text'],
  cancelDeadlineMinutes: ['BookingCancelDeadline', 'number'],
  holdMinutes: ['BookingHold', 'number'],
  priceMinor: ['BookingPrice', 'minor'],
  refundPercent: ['BookingRefund', 'number'],
  cancelFeeMinor: ['BookingCancelFee', 'minor'],
  noShowFeeMinor: ['BookingNoShowFee', 'minor'],
  for: ['BookingFor', 'text'],
  tag: ['BookingTag', 'text'],
  quietFrom: ['BookingQuietFrom', 'text'],
  quietThrough: ['BookingQuietThrough', 'text'],
} as const satisfies Readonly<Record<string, readonly [setting: string, type: keyof typeof parsers]>>;

/** What is not set is null. Amounts are in minor units. */
export type BookingPolicy = { readonly bookable: boolean } & {
  readonly [Field in keyof typeof policyFields]: ReturnType<(typeof parsers)[(typeof policyFields)[Field][1]]> | null;
};

/** The names of all settings that a policy is parsed from. */
export const policySettings: readonly string[] = bookingSettings.map(({ name }) => name);

const defaultValues: ReadonlyMap<string, string> = new Map(
  bookingSettings.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback] as const])),
);

/** The policy of a unit with these stored values, by setting. An invalid or blank value counts as not set. */
export function parsePolicy(storedValues: ReadonlyMap<string, string>): BookingPolicy {
  const validValues = selectValidValues(storedValues);
  const textOf = (setting: string): string | undefined => validValues.get(setting) ?? defaultValues.get(setting);
  const fields = Object.entries(policyFields).map(([field, [setting, type]]) => {
    const text = textOf(setting);
    return [field, text === undefined ? null : parsers[type](text)];
  });
  return { bookable: textOf('Bookable') === 'true', ...Object.fromEntries(fields) } as BookingPolicy;
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
