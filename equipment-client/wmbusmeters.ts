// Turns what wmbusmeters says of a wireless M-Bus meter (one JSON object a telegram) into a line of the stream `samples`.
// Which member of the telegram is which state of which unit is a small table of the reader's own.

/** The members that every telegram has: see "format json" of https://github.com/wmbusmeters/wmbusmeters. */
export type Telegram = Readonly<Record<string, unknown>> & {
  /** The number on the meter. */
  readonly id: string;
  /** RFC 3339: when it was received. */
  readonly timestamp: string;
};

/** Which unit a meter is, and for each state of the unit the member of the telegram. */
export type MeterMapping = {
  readonly unit: string;
  readonly values: Readonly<Record<string, string>>;
};

export type SamplesLine = {
  readonly t: 'samples';
  readonly at: string;
  readonly unit: string;
  readonly values: Readonly<Record<string, number | string>>;
};

/** Undefined for the telegram of a meter that has no unit, such as a neighbour's, or that has none of the values. */
export function toSamplesLine(
  telegram: Telegram,
  mappings: ReadonlyMap<string, MeterMapping>,
): SamplesLine | undefined {
  const mapping = mappings.get(telegram.id);
  if (mapping === undefined) return undefined;
  const values = Object.entries(mapping.values).flatMap(([state, member]) => {
    const value = telegram[member];
    return typeof value === 'number' || typeof value === 'string' ? [[state, value] as const] : [];
  });
  if (values.length === 0) return undefined;
  return { t: 'samples', at: telegram.timestamp, unit: mapping.unit, values: Object.fromEntries(values) };
}
