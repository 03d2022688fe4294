// Checks demo postings for every tenant and at difficult instants, without a database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMs2000, formatUtc } from '../../src/lib/time/ms2000.ts';
import { builtInTenants, type Tenant } from '../../src/tenants.ts';
import { clockChanges, monthsUpTo } from '../calendar.ts';
import { createDemoBanks } from '../places/places.ts';
import { createDemoResidents } from '../residents.ts';
import { generateBatches } from './posting-batches.ts';
import { createLedgerScenario, type LedgerScenario } from './ledger-scenario.ts';

const moments = [
  '2026-06-15T09:30:00.000Z',
  // The first instant of a month in Copenhagen, the one before it, and one soon after.
  '2026-05-31T22:00:00.000Z',
  '2026-05-31T21:59:59.999Z',
  '2026-05-31T22:20:00.000Z',
  // Within an hour of a clock change, and a leap day.
  '2026-03-29T01:10:00.000Z',
  '2026-10-25T01:00:00.000Z',
  '2028-02-29T23:30:00.000Z',
];

function scenes(tenant: Tenant, now: number): LedgerScenario[] {
  const periods = monthsUpTo(tenant.timeZone, now);
  return createDemoBanks(now).map((bank) =>
    createLedgerScenario(tenant, { bank, residents: createDemoResidents(bank, tenant, now) }, periods),
  );
}

test('every bank gets its postings, none of them in the future, for any tenant and instant', () => {
  for (const tenant of builtInTenants) {
    for (const now of moments.map((moment) => toMs2000(Date.parse(moment)))) {
      for (const scenario of scenes(tenant, now)) {
        const batches = [...generateBatches(scenario, scenario.bank.postings)];
        const drafts = batches.flatMap((batch) => batch.drafts);
        const about = `${tenant.name} ${scenario.bank.bankId} ${formatUtc(now)}`;
        assert.equal(drafts.length, scenario.bank.postings, about);
        assert.ok(
          drafts.every(({ recordedAt }) => recordedAt < now),
          about,
        );
        assert.equal(batches.filter(({ closes }) => closes !== undefined).length, 26, about);
        const recent = drafts.filter(({ recordedAt }) => recordedAt >= now - 3_600_000);
        if (scenario.bank.enabled) assert.ok(recent.length >= 9, about);
      }
    }
  }
});

test('batches number their postings consecutively, and close the periods in order', () => {
  const [tenant] = builtInTenants;
  assert.ok(tenant !== undefined);
  const now = toMs2000(Date.parse('2026-06-15T09:30:00Z'));
  const [scenario] = scenes(tenant, now);
  assert.ok(scenario !== undefined);
  let next = 1;
  const closed: number[] = [];
  for (const { firstId, drafts, closes } of generateBatches(scenario, 300_000)) {
    assert.equal(firstId, next);
    assert.ok(drafts.length <= 10_000);
    next += drafts.length;
    if (closes !== undefined) closed.push(closes);
  }
  assert.equal(next, 300_001);
  assert.deepEqual(
    closed,
    scenario.periods.slice(0, -1).map(({ to }) => to),
  );
});

test('a zone without summer time has no clock changes', () => {
  const now = toMs2000(Date.parse('2026-06-15T09:30:00Z'));
  const year = { from: now - 366 * 86_400_000, to: now };
  assert.deepEqual(clockChanges('Atlantic/Reykjavik', year, 2), []);
  assert.deepEqual(clockChanges('Europe/Copenhagen', year, 2).map(formatUtc), [
    '2026-03-29T01:00:00.000Z',
    '2025-10-26T01:00:00.000Z',
  ]);
});
