// What the writes of addresses share: the steps of a transaction, the two transactions around a lookup, and the storing of
// what an operation made of an address.

import type { WriteDb } from '../../database/db.ts';
import type { AddressColumns } from '../../database/tables/address-columns.ts';
import { takeLateLock, type Lock } from '../../database/locks.ts';
import type { ManagerContext, ManagerWrite, WriteAnswer } from '../../http/context/operation-context.ts';
import type { Geocoder } from '../../providers/geocoding/geocoder.ts';
import { outboxLock, queueSync, type QueueSyncInput } from '../outbox/queries/outbox.ts';
import { Problem } from '../../lib/problem.ts';
import { toObjectAddress } from './answers.ts';
import type { AddressKid } from './rules/address-kid.ts';
import {
  requireAddressObject,
  requireGrantedObject,
  type AddressObject,
  type GrantedObject,
} from './require-address-object.ts';
import {
  failureOf,
  hasResult,
  lookUpAddress,
  type AddressLookupRequest,
  type LookupResult,
} from './look-up-address.ts';
import { addressRevisionOf, listChangedAddressFields } from './rules/revision.ts';
import type { AddressOutcome, ObjectAddress } from './schemas.ts';
import { StorageError } from '../../database/errors.ts';
import { appendAudit } from '../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../audit/rules/audit-context.ts';
import { placesLock, updateAddress, type AddressKey } from './queries/addresses.ts';
import { hasSameText, isSameState, type AddressState } from './rules/provenance.ts';

type Work<T> = (db: WriteDb, object: AddressObject) => Promise<T>;

/** The steps of a write of one object's address; `work` is the part of the operation. */
export const addressWrite = <T>(
  { now }: ManagerContext,
  kid: AddressKid,
  work: Work<T>,
): ManagerWrite<GrantedObject, AddressObject, readonly Lock[], T> => ({
  grant: (scope) => requireGrantedObject(scope, kid),
  locks: ({ bank }) => [outboxLock(bank)],
  requireObject: (db, granted) => requireAddressObject(db, granted, now),
  work,
});

/** What the first transaction has stored, and what will be looked up for it. */
export type BegunWrite = {
  readonly object: AddressObject;
  /** Undefined if nothing is looked up: the write is complete. */
  readonly lookup: AddressLookupRequest | undefined;
  /** The outcome of the answer if there is no lookup or its result was not stored. */
  readonly outcome: AddressOutcome;
};

export type AddressWriteWithLookup = {
  readonly kid: AddressKid;
  readonly begin: Work<BegunWrite>;
  /** Stores what was found on the object as the first transaction left it. Undefined if it no longer fits. */
  readonly finish: (
    db: WriteDb,
    object: AddressObject,
    looked: { readonly lookup: AddressLookupRequest; readonly result: LookupResult; readonly outcome: AddressOutcome },
  ) => Promise<ObjectAddress | undefined>;
};

/**
 * Runs two transactions around a lookup, during which nothing is locked. If the object is changed meanwhile, the result
 * of the lookup is dropped.
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

/** Returns the object after the write. If the state does not change, nothing is written. */
export async function saveAddress(
  db: WriteDb,
  context: ManagerContext,
  object: AddressObject,
  state: AddressState,
): Promise<AddressObject> {
  const { bank, row } = object;
  if (isSameState(row, state)) return object;
  // Sent together; the engine runs them in this order.
  const [revision] = await Promise.all([
    storeAddress(db, object, state, context.now),
    appendAudit(db, createManagerAuditContext(context), {
      object: object.kid,
      bankId: bank.bankId,
      ...listChangedAddressFields(row, state),
    }),
  ]);
  return { ...object, row: { ...row, ...state, address_revision: revision } };
}

type StoredAddress = Pick<AddressObject, 'key' | 'bank' | 'locationId'> & { readonly row: AddressColumns };

/** Writes an address that has changed, and queues it for devices. Returns its revision. Who calls records it. */
export async function storeAddress(
  db: WriteDb,
  { key, bank, row, locationId }: StoredAddress,
  state: AddressState,
  now: number,
): Promise<number> {
  const revision = row.address_revision + 1;
  // Sent together; the engine runs them in this order.
  const [, isUpdated] = await Promise.all([
    queueSync(db, bank, toSyncRecord(key, locationId, revision), now),
    updateAddress(db, key, row, state),
    // Lists of locations show their addresses.
    key.type === 'location' && !hasSameText(row, state) ? takeLateLock(db, placesLock(bank)) : undefined,
  ]);
  // Another writer was faster, so the transaction runs again on the new state.
  if (!isUpdated) throw new StorageError('rolled-back');
  return revision;
}

function toSyncRecord({ type, granted }: AddressKey, locationId: number, revision: number): QueueSyncInput {
  if (type === 'user') return { subjectKind: 'resident', subjectId: granted.residentId, locationId, unitId: 0 };
  return {
    subjectKind: 'place-address',
    subjectId: revision,
    locationId,
    unitId: type === 'unit' ? granted.unitId : 0,
  };
}

/** Throws 409 if the object has changed since the caller read it. */
export function requireExpectedRevision({ row }: AddressObject, expectedRevision: string): void {
  if (addressRevisionOf(row) !== expectedRevision) throw new Problem('address-conflict');
}
