// Which zone a stored name means.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveLocationTimeZone } from './location-time-zone.ts';

const denmark = { country: 'DK', timeZone: 'Europe/Copenhagen' };

test('a stored zone is told by its IANA or its Windows name, and what is no zone is the tenant’s', () => {
  const table: [stored: string, tenant: typeof denmark, zone: string][] = [
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
  // Whatever was asked before.
  for (const [stored, tenant, zone] of [...table, ...table.toReversed()])
    assert.equal(resolveLocationTimeZone(stored, tenant), zone, `${stored} ${tenant.country}`);
});
