// What a computer has to know, one thing each: its newest value as it is sent. The outbox says that something has changed;
// this file says what that means for devices, and sorts things into the lists of the digests.

import { parseUtc } from '../../../lib/time/ms2000.ts';
import { digestNames, computeDigest, type Digests, type DigestName } from './digest.ts';

export type SettingThing = {
  readonly kind: 'setting';
  readonly unit: string;
  readonly name: string;
  readonly value: unknown;
  readonly revision: string;
};

export type HoursThing = {
  readonly kind: 'hours';
  readonly unit: string;
  /** From Monday to Sunday: `07:00-12:00,13:00-22:00` or `closed`; null: not known. */
  readonly weekly: readonly (string | null)[];
  readonly exceptions: readonly { readonly date: string; readonly intervals: string }[];
  /** IANA. */
  readonly timeZone: string;
};

export type KeyThing =
  | {
      readonly kind: 'key';
      /** The key as AddKey spells it. */
      readonly key: string;
      readonly residentKid: string;
      /** The units of the computer that the key may use. */
      readonly units: readonly string[];
      /** When the key ends by itself; null: not. */
      readonly until: string | null;
    }
  | { readonly kind: 'key'; readonly key: string; readonly removed: true };

export type BookingThing = {
  readonly kind: 'booking';
  /** The event that made the booking: it stays the same whatever becomes of the booking. */
  readonly bookingKid: string;
  readonly unit: string;
  readonly residentKid: string;
  readonly from: string;
  readonly to: string;
  readonly state: string;
};

/** A posting that takes back what the computer has sent. */
export type PostingThing = { readonly kind: 'posting'; readonly posting: string; readonly reverses: string };

export type CommandThing = {
  readonly kind: 'command';
  readonly id: string;
  readonly unit: string;
  readonly name: string;
  readonly expiresAt: string;
};

export type AddressThing = {
  readonly kind: 'address';
  readonly kid: string;
  /** Millionths of a degree. */
  readonly latitude: number | null;
  readonly longitude: number | null;
};

export type DesiredThing =
  | SettingThing
  | HoursThing
  | KeyThing
  | BookingThing
  | PostingThing
  | CommandThing
  | AddressThing;

/** A thing with the version of the outbox by which it has changed. */
export type VersionedThing = DesiredThing & { readonly v: number };

/** The list of the digests that a thing belongs to; undefined where it is only told once. */
function listOf(thing: DesiredThing): keyof Digests | undefined {
  switch (thing.kind) {
    case 'setting':
      return 'settings';
    case 'hours':
      return 'hours';
    case 'key':
      return 'removed' in thing ? undefined : 'keys';
    case 'booking':
      return 'bookings';
    case 'posting':
    case 'command':
    case 'address':
      return undefined;
  }
}

/** Only bookings that end after a time (MS2000) count: both sides compare the same ones, whatever their clocks say. */
export function computeDigests(things: readonly DesiredThing[], endAfter: number): Digests {
  const byList = Map.groupBy(
    things.filter((thing) => isListed(thing, endAfter)),
    listOf,
  );
  return Object.fromEntries(digestNames.map((name) => [name, computeDigest(byList.get(name) ?? [])])) as Digests;
}

const isListed = (thing: DesiredThing, endAfter: number): boolean =>
  thing.kind !== 'booking' || (thing.state === 'Booked' && (parseUtc(thing.to) ?? 0) > endAfter);

/** The lists whose digests differ from those that a computer has sent. It may send only some. */
export const findDifferingLists = (own: Digests, sent: Readonly<Partial<Record<string, string>>>): DigestName[] =>
  digestNames.filter((name) => sent[name] !== undefined && sent[name] !== own[name]);
