// What the writes of addresses share: the steps of a transaction, and the two transactions around a lookup.

import type { WriteDb } from '../../database/db.ts';
import type { ManagerContext, ManagerWrite, WriteAnswer } from '../../http/context/operation-context.ts';
import type { Geocoder } from '../../providers/geocoding/geocoder.ts';
import { lockOutbox } from '../device-sync/queries/outbox.ts';
import { toObjectAddress } from './address-item.ts';
import type { AddressKid } from './address-kid.ts';
import {
  requireAddressObject,
  requireGrantedObject,
  type AddressObject,
  type GrantedObject,
} from './address-object.ts';
import { failureOf, hasResult, lookUpAddress, type AddressLookup, type LookupResult } from './look-up.ts';
import { addressRevisionOf } from './rules/revision.ts';
import type { AddressOutcome, ObjectAddress } from './schemas.ts';

type Work<T> = (db: WriteDb, object: AddressObject) => Promise<T>;

/** The steps of a write of one object's address; `work` is the operation's own. */
export const addressWrite = <T>(
  { now }: ManagerContext,
  kid: AddressKid,
  work: Work<T>,
): ManagerWrite<GrantedObject, AddressObject, void, T> => ({
  grant: (scope) => requireGrantedObject(scope, kid),
  lock: (db, { bank }) => lockOutbox(db, bank),
  requireObject: (db, granted) => requireAddressObject(db, granted, now),
  work,
});

/** What the first transaction has stored, and what is to be looked up for it. */
export type BegunWrite = {
  readonly object: AddressObject;
  /** Undefined where nothing is: the write is over. */
  readonly lookup: AddressLookup | undefined;
  /** Of the answer, if there is no lookup, or its result was never stored. */
  readonly outcome: AddressOutcome;
};

export type AddressWriteWithLookup = {
  readonly kid: AddressKid;
  readonly begin: Work<BegunWrite>;
  /** Stores what was found on the object as the first transaction left it. Undefined if it no longer fits. */
  readonly finish: (
    db: WriteDb,
    object: AddressObject,
    looked: { readonly lookup: AddressLookup; readonly result: LookupResult; readonly outcome: AddressOutcome },
  ) => Promise<ObjectAddress | undefined>;
};

/**
 * Two transactions around a lookup, during which nothing is locked. Whatever changes the object meanwhile wins: the
 * result of the lookup is dropped.
 */
export async function writeWithLookup(
  context: ManagerContext,
  geocoder: Geocoder,
  { kid, begin, finish }: AddressWriteWithLookup,
): Promise<WriteAnswer<ObjectAddress>> {
  const first = await context.writeFirst(
    addressWrite(context, kid, async (db, object) => {
      const { object: saved, lookup, outcome } = await begin(db, object);
      const next = lookup && { lookup, outcome, revision: addressRevisionOf(saved.row) };
      return { answer: toObjectAddress(saved, outcome), next };
    }),
  );
  if ('answer' in first) return first.answer;
  const { lookup, outcome, revision } = first.next;
  const result = await lookUpAddress(geocoder, lookup);
  const isCurrent = ({ row }: AddressObject): boolean => addressRevisionOf(row) === revision;
  const steps = addressWrite(context, kid, async (db, object) => {
    const finished = isCurrent(object) ? await finish(db, object, { lookup, result, outcome }) : undefined;
    return finished ?? toObjectAddress(object, 'Superseded');
  });
  if (hasResult(result)) return context.writeSecond(steps);
  const outcomeWithoutResult = failureOf(result) ?? outcome;
  return context.endWrite({
    ...steps,
    answer: (object) => toObjectAddress(object, isCurrent(object) ? outcomeWithoutResult : 'Superseded'),
  });
}
