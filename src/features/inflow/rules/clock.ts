// Reads the times of a device, and corrects them by what its clock showed when it sent the request, against when the
// request arrived. Tells how long before their arrival lines had happened.

import { toMs2000 } from '../../../lib/time/ms2000.ts';
import { LineFields } from './line-fields.ts';
import type { StreamLine } from './parse-lines.ts';
import type { ReceivedHeader } from './stream-header.ts';

/** From this offset on, times are corrected. */
const correctedFromMs = 2000;
/** How far ahead of the service a time may be after its correction. */
const maxAheadMs = 300_000;

/** A time by the clock of the device (MS2000), or for how long it had run. */
export type DeviceTime = { readonly at: number } | { readonly uptimeMs: number };

export type DeviceClock = {
  /** How far the clock is ahead, less than zero where it is behind; undefined where the device has none. */
  readonly offsetMs: number | undefined;
  /** What `uptimeMs` is ahead of MS2000; undefined where the header has no `uptimeMs`. */
  readonly uptimeOffsetMs: number | undefined;
};

export const readDeviceClock = (
  { sentAt, uptimeMs }: Pick<ReceivedHeader, 'sentAt' | 'uptimeMs'>,
  now: number,
): DeviceClock => ({
  offsetMs: sentAt === undefined ? undefined : sentAt - now,
  uptimeOffsetMs: uptimeMs === undefined ? undefined : uptimeMs - now,
});

export const isCorrected = (offsetMs: number | undefined): offsetMs is number =>
  offsetMs !== undefined && Math.abs(offsetMs) >= correctedFromMs;

/** What is subtracted from a time of the device; undefined where the time cannot be known. */
export function correctionOf(time: DeviceTime, { offsetMs, uptimeOffsetMs }: DeviceClock): number | undefined {
  if ('uptimeMs' in time) return uptimeOffsetMs;
  return isCorrected(offsetMs) ? offsetMs : 0;
}

const earliest = toMs2000(Date.parse('0001-01-01T00:00:00Z'));

/** The time of the event, MS2000; undefined where it is none that can be stored. */
export function correctTime(time: DeviceTime, correctionMs: number): number | undefined {
  const at = ('uptimeMs' in time ? time.uptimeMs : time.at) - correctionMs;
  return Number.isSafeInteger(at) && at >= earliest ? at : undefined;
}

export const isAhead = (instant: number, now: number): boolean => instant > now + maxAheadMs;

/** Undefined where the line has neither, or both. */
export function parseDeviceTime(fields: LineFields): DeviceTime | undefined {
  const at = fields.time('at');
  const uptimeMs = fields.integer('uptimeMs', 0);
  if (at !== undefined && uptimeMs === undefined) return { at };
  return at === undefined && uptimeMs !== undefined ? { uptimeMs } : undefined;
}

/**
 * In seconds, by the clock of the computer alone: from what a line tells to when it was sent. Lines without a time of their
 * own are left out, and so are all of a computer that does not tell when it sent them.
 */
export function measureLags({ sentAt }: Pick<ReceivedHeader, 'sentAt'>, lines: readonly StreamLine[]): number[] {
  if (sentAt === undefined) return [];
  return lines.flatMap(({ fields }) => {
    const at = fields === undefined ? undefined : new LineFields(fields).time('at');
    return at === undefined ? [] : [Math.max(0, sentAt - at) / 1000];
  });
}
