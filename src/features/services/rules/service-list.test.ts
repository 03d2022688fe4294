// Checks which services a list shows, and in which order.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static } from 'typebox';
import { serviceIdentities, serviceIdOf, findServiceIdentity } from './service-catalogue.ts';
import type { ServicesQuery } from '../schemas.ts';
import { selectServices } from './service-list.ts';

const byIdentity: Static<typeof ServicesQuery> = { sort: 'identity', direction: 'asc' };
const services = serviceIdentities.map((identity) => ({ identity, name: `The ${identity}` }));

test('a service never changes its number, which is below those of managers', () => {
  const ids = serviceIdentities.map(serviceIdOf);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length >= 12);
  for (const [index, id] of ids.entries()) {
    assert.ok(Number.isInteger(id) && id > 0 && id < 1000);
    assert.equal(findServiceIdentity(id), serviceIdentities[index]);
  }
  // With other numbers, the KIDs that clients hold would name other services.
  assert.deepEqual([serviceIdOf('Gateway'), serviceIdOf('Mailer'), serviceIdOf('Export')], [1, 3, 101]);
});

test('[services.09] identities sort by their numbers: 20 after 3, and 100 after 20', () => {
  const sorted = selectServices(services, byIdentity).map(({ identity }) => serviceIdOf(identity));
  assert.deepEqual(
    sorted,
    sorted.toSorted((a, b) => a - b),
  );
  assert.notDeepEqual(sorted, sorted.map(String).toSorted().map(Number));
  assert.notDeepEqual(
    selectServices(services, byIdentity).map(({ identity }) => identity),
    serviceIdentities.toSorted(),
  );
});

test('names sort without case and accents, equal ones by their identities; descending is the reverse', () => {
  const named = [
    { identity: 'Export', name: 'b' },
    { identity: 'Gateway', name: 'É 10' },
    { identity: 'Mailer', name: 'e 9' },
    { identity: 'Backup', name: 'B' },
  ] as const;
  const ascending = selectServices(named, { sort: 'name', direction: 'asc' });
  assert.deepEqual(
    ascending.map(({ identity }) => identity),
    ['Backup', 'Export', 'Mailer', 'Gateway'],
  );
  assert.deepEqual(selectServices(named, { sort: 'name', direction: 'desc' }), ascending.toReversed());
});

test('[services.06] the filter is literal: %, _ and \\ match only themselves', () => {
  const characters = fc.constantFrom('%', '_', '\\', '.', '*', 'a', 'B', '[');
  const texts = fc.string({ unit: characters, maxLength: 6 });
  fc.assert(
    fc.property(texts, texts, (name, filter) => {
      const found = selectServices([{ identity: 'Scheduler', name }], { ...byIdentity, filter });
      const expected = [name, 'Scheduler'].some((text) => text.toLowerCase().split(filter.toLowerCase()).length > 1);
      assert.equal(found.length === 1, expected || filter === '', `${name} ${filter}`);
    }),
    { numRuns: 500 },
  );
});
