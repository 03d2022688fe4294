// Checks that the snapshots of all managers are bounded in bytes, and that only its owner finds a snapshot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../../http/context/principal.ts';
import { createScope, type Environment } from '../../../permissions/scope.ts';
import type { StatusReading } from '../read-status.ts';
import type { TenantStatusItem } from '../schemas.ts';
import { createSnapshotStore, type SnapshotOwner } from './snapshot-store.ts';

const grants = { tenantWide: true, banks: new Set<number>(), locations: new Map() };

function createOwner(managerId: number, tenant = 'sund', environment: Environment = 'production'): SnapshotOwner {
  return {
    scope: createScope(tenant, environment, grants, null),
    environment,
    principal: { id: managerId } as Principal,
    now: 0,
  };
}

const createSnapshot = (count: number, unitName: string): StatusReading => {
  const item = { unitName, bankName: '', locationName: '', computerName: '' } as TenantStatusItem;
  return { measuredAt: 0, sources: [], items: Array.from({ length: count }, () => item) };
};

test('[status.32] snapshots of all managers take 64 MiB at most: the least recently used are dropped first', () => {
  const store = createSnapshotStore();
  // Each takes about 2000 times 1024 + 2 * 512 bytes: 16 of them fit.
  const snapshot = createSnapshot(2000, 'x'.repeat(512));
  const owners = Array.from({ length: 20 }, (_, index) => createOwner(1001 + index));
  const ids: string[] = [];
  for (const owner of owners) {
    ids.push(store.add(owner, snapshot).id);
    // The first one stays in use.
    store.find(owners[0]!, ids[0]!);
  }
  const kept = owners.flatMap((owner, index) => (store.find(owner, ids[index]!) === undefined ? [] : [index]));
  assert.deepEqual(kept, [0, ...Array.from({ length: 15 }, (_, index) => index + 5)]);
});

test('a snapshot is found by its id only for its tenant, environment and manager', () => {
  const store = createSnapshotStore();
  const snapshot = createSnapshot(1, 'Washer 1');
  const { id } = store.add(createOwner(1001), snapshot);
  assert.equal(store.find(createOwner(1001), id), snapshot);
  for (const other of [createOwner(1002), createOwner(1001, 'fjord'), createOwner(1001, 'sund', 'beta')])
    assert.equal(store.find(other, id), undefined);
  assert.equal(store.find(createOwner(1001), `${id}x`), undefined);
});
