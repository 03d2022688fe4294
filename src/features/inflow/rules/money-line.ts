// Parses a line of the stream of money. What it says is not compared with anything that is stored.

import { parseDeviceTime, type DeviceTime } from './clock.ts';
import { LineFields } from './line-fields.ts';
import type { StreamLine } from './parse-lines.ts';

const moneyKinds = ['use', 'pay', 'refund', 'access', 'booking', 'cancel'] as const;
type MoneyKind = (typeof moneyKinds)[number];

/** A reference is stored with its computer in front where the line names no unit. */
const maxRefLength = 48;
const maxKeyLength = 64;
const maxTextLength = 500;
const maxKidLength = 128;

export type MoneyLine = {
  readonly kind: MoneyKind;
  readonly time: DeviceTime;
  /** The text as it was sent: the KID of a unit, or anything else. */
  readonly unit: string | undefined;
  readonly key: string | undefined;
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
  readonly documentId: number | undefined;
  readonly text: string;
  readonly ref: string | undefined;
  /** The reference of the use that a refund compensates. */
  readonly refundedRef: string | undefined;
  /** The interval of a booking, MS2000. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The KID of an event of the booking that is cancelled, or the reference with which it was made. */
  readonly booking: string | undefined;
  /** New values of states, as they were sent. */
  readonly counters: Readonly<Record<string, unknown>>;
};

/** Undefined where the line is malformed. */
export function parseMoneyLine({ n, fields: values }: StreamLine): MoneyLine | undefined {
  if (values === undefined) return undefined;
  const fields = new LineFields(values);
  fields.require(fields.integer('n', 1) === n);
  const kind = moneyKinds.find((each) => each === fields.get('t'));
  const time = parseDeviceTime(fields);
  const parsed = {
    unit: fields.text('unit', maxKidLength),
    key: fields.text('key', maxKeyLength),
    amountMinor: fields.amount('amountMinor'),
    currency: fields.text('currency', 16),
    documentId: fields.id('document'),
    text: fields.text('text', maxTextLength) ?? '',
    ref: fields.token('ref', maxRefLength),
    refundedRef: fields.token('refund', maxRefLength),
    from: fields.time('from'),
    to: fields.time('to'),
    booking: fields.text('booking', maxKidLength),
    counters: fields.object('counters') ?? {},
  };
  if (kind === undefined || time === undefined) return undefined;
  const line = { kind, time, ...parsed };
  fields.require(hasMembers(line));
  return fields.isValid ? line : undefined;
}

/** Whether the line has what its kind needs. */
function hasMembers({ kind, unit, amountMinor, currency, refundedRef, from, to, booking }: MoneyLine): boolean {
  if (amountMinor !== undefined && amountMinor !== 0n && currency === undefined) return false;
  if (unit === undefined && kind !== 'pay') return false;
  switch (kind) {
    case 'use':
    case 'pay':
      return amountMinor !== undefined;
    case 'refund':
      return refundedRef !== undefined;
    case 'booking':
      return from !== undefined && to !== undefined;
    case 'access':
      return true;
    case 'cancel':
      return booking !== undefined;
  }
}
