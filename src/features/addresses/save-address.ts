// Stores what an operation made of an address, records it, and queues it for the devices.

import type { WriteDb } from '../../database/db.ts';
import { StorageError } from '../../database/errors.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { appendAudit } from '../audit/queries/append-audit.ts';
import { createManagerActor } from '../audit/rules/audit-actor.ts';
import { queueSync, type QueueSyncInput } from '../device-sync/queries/outbox.ts';
import type { AddressObject } from './address-object.ts';
import { incrementPlacesVersion, updateAddress, type AddressKey } from './queries/addresses.ts';
import { hasSameText, isSameState, type AddressState } from './rules/provenance.ts';
import { listChangedFields } from './rules/changed-fields.ts';

/** Returns the object as it is afterwards. The present state again writes nothing. */
export async function saveAddress(
  db: WriteDb,
  context: ManagerContext,
  object: AddressObject,
  state: AddressState,
): Promise<AddressObject> {
  const { key, bank, row, locationId } = object;
  if (isSameState(row, state)) return object;
  const revision = row.address_revision + 1;
  // Started together; a connection runs its statements in this order.
  const [, isUpdated] = await Promise.all([
    queueSync(db, bank, toSyncRecord(key, locationId, revision), context.now),
    updateAddress(db, key, row, state),
    // Lists of locations show their addresses.
    key.type === 'location' && !hasSameText(row, state) ? incrementPlacesVersion(db, bank) : undefined,
    appendAudit(db, createManagerActor(context), {
      object: object.kid,
      bankId: bank.bankId,
      ...listChangedFields(row, state),
    }),
  ]);
  // Another writer was faster: the transaction is run again on what it left.
  if (!isUpdated) throw new StorageError('rolled-back');
  return { ...object, row: { ...row, ...state, address_revision: revision } };
}

function toSyncRecord({ type, granted }: AddressKey, locationId: number, revision: number): QueueSyncInput {
  if (type === 'user') return { subjectKind: 'resident', subjectId: granted.userId, locationId, unitId: 0 };
  return {
    subjectKind: 'place-address',
    subjectId: revision,
    locationId,
    unitId: type === 'unit' ? granted.unitId : 0,
  };
}
