// Checks which time zone a stored name means.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTimeZoneResolver, resolveLocationTimeZone } from './location-time-zone.ts';

const denmark = { country: 'DK', timeZone: 'Europe/Copenhagen' };

const table: readonly [stored: string, tenant: typeof denmark, zone: string][] = [
  ['Europe/Copenhagen', denmark, 'Europe/Copenhagen'],
  ['atlantic/reykjavik', denmark, 'Atlantic/Reykjavik'],
  ['Romance Standard Time', denmark, 'Europe/Copenhagen'],
  ['romance standard time', { country: 'FR', timeZone: 'Europe/London' }, 'Europe/Paris'],
  ['GMT Standard Time', denmark, 'Europe/London'],
  ['', denmark, 'Europe/Copenhagen'],
  ['+02:00', denmark, 'Europe/Copenhagen'],
  ['Mars/Olympus', { country: 'GB', timeZone: 'Europe/London' }, 'Europe/London'],
  ['Mars/Olympus', denmark, 'Europe/Copenhagen'],
];

test('a stored zone is resolved by its IANA or its Windows name, and any other text is the tenant’s zone', () => {
  for (const [stored, tenant, zone] of table)
    assert.equal(resolveLocationTimeZone(stored, tenant), zone, `${stored} ${tenant.country}`);
});

test('a resolver for a page gives the same zones, whatever it resolved before', () => {
  const resolve = createTimeZoneResolver(denmark);
  const ofDenmark = table.filter(([, tenant]) => tenant === denmark);
  for (const [stored, , zone] of [...ofDenmark, ...ofDenmark.toReversed()]) assert.equal(resolve(stored), zone, stored);
});
