// Sorts what a computer has to know into the lists of the digests.

import { parseUtc } from '../../../lib/time/ms2000.ts';
import { listOf, type DesiredThing } from './desired-thing.ts';
import { computeDigest, digestNames, type DigestName, type Digests } from './digest.ts';

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
