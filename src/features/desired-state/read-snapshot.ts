// Reads everything that a computer has to know, and compares it with what the computer says it has.

import type { Db } from '../../database/db.ts';
import type { ComputerContext } from '../../http/context/operation-context.ts';
import { listComputerUnits } from '../computers/queries/computer-units.ts';
import { mayUseKeys } from '../residents/rules/key-use.ts';
import { readProgress, storeDigestsEqual, hasUnconfirmedChanges } from './queries/computer-progress.ts';
import { isOpeningSetting, listDesiredBookings, listSettings, listStoredKeys } from './queries/desired-values.ts';
import { listOpenRecords } from './queries/outbox-records.ts';
import {
  unrepeatableKinds,
  readAddresses,
  readHours,
  readOnceThings,
  toComputerOfThings,
  type ComputerOfThings,
} from './read-things.ts';
import { computeDigests, findDifferingLists, type DesiredThing } from './rules/desired-thing.ts';
import type { DigestName } from './rules/digest.ts';
import { keyTextOf, toBookingThing, toKeyThings, toSettingThing, unitKidOf } from './rules/to-things.ts';

/** Everything that the computer has to know. */
export async function readAllThings(db: Db, computer: ComputerOfThings): Promise<DesiredThing[]> {
  const { bank, name, now } = computer;
  const units = await listComputerUnits(db, bank, name);
  const open = await listOpenRecords(db, bank, { computerName: name, kinds: unrepeatableKinds });
  const [settings, hours, keys, bookings, addresses, once] = await Promise.all([
    listSettings(db, bank, { computerName: name }),
    readHours(db, computer, units),
    listStoredKeys(db, bank, 'all'),
    listDesiredBookings(db, bank, { computerName: name, selection: { endAfter: now } }),
    readAddresses(db, computer),
    readOnceThings(db, computer, open),
  ]);
  const unitKids = units.map((unit) => unitKidOf(bank, unit));
  const usable = new Set(keys.filter((row) => mayUseKeys(row, now)).map(keyTextOf));
  return [
    ...settings.filter((row) => !isOpeningSetting(row.name)).flatMap((row) => toSettingThing(bank, row) ?? []),
    ...hours,
    ...toKeyThings(bank, usable, { rows: keys, units: unitKids, now }),
    ...bookings.map((row) => toBookingThing(bank, row)),
    ...addresses.filter(({ latitude }) => latitude !== null),
    ...once.map(({ thing }) => thing),
  ];
}

/** For how long a change may be on its way to a computer. A computer that confirms nothing is compared even so. */
const onItsWayMs = 900_000;

/**
 * The lists that differ. `sentAt`: the time of the computer's digests, MS2000. Its digests may be older than a change that
 * it has not confirmed: then nothing is compared, since it would read everything again for nothing.
 */
export async function readDifferingLists(
  context: ComputerContext,
  digests: Readonly<Partial<Record<string, string>>>,
  sentAt: number,
): Promise<readonly DigestName[]> {
  const { bank, computer } = context;
  const read = await context.read(async (db) => {
    const progress = await readProgress(db, bank, computer.computerId);
    const unconfirmed = {
      computerName: computer.name,
      sent: Math.max(progress?.sent_version ?? 0, progress?.acknowledged_version ?? 0),
      acknowledged: progress?.acknowledged_version ?? 0,
      since: context.now - onItsWayMs,
    };
    if (await hasUnconfirmedChanges(db, bank, unconfirmed)) return undefined;
    const things = await readAllThings(db, { ...toComputerOfThings(context), now: Math.min(sentAt, context.now) });
    return { things, progress };
  });
  if (read === undefined) return [];
  const { things, progress } = read;
  const differing = findDifferingLists(computeDigests(things, sentAt), digests);
  const isEqual = differing.length === 0;
  if (progress?.digests_equal !== (isEqual ? 1 : 0))
    await context.write((db) => storeDigestsEqual(db, bank, computer.computerId, isEqual));
  return differing;
}
