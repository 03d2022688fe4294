// When deleted residents expire: tables of days.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUtc } from '../../../lib/time/ms2000.ts';
import { createExpiryRule, hasRetention } from './expiry.ts';

const at = (text: string): number => parseUtc(text) ?? Number.NaN;
const now = at('2026-03-10T12:34:56Z');

test('deleted residents expire when the days of the tenant’s retention are over, counted as whole UTC days', () => {
  const table: [setting: string, deletedBefore: number][] = [
    ['1', at('2026-03-09T00:00:00Z')],
    ['30', at('2026-02-08T00:00:00Z')],
    ['400', at('2025-02-03T00:00:00Z')],
  ];
  for (const [retentionSetting, deletedBefore] of table)
    for (const expiresAllDeleted of [false, true])
      assert.deepEqual(createExpiryRule({ retentionSetting, expiresAllDeleted }, now), { deletedBefore, now });
});

test('a retention that is zero, missing or not a number expires nobody, unless all must expire', () => {
  for (const retentionSetting of ['0', '-1', '', 'many', null]) {
    assert.equal(hasRetention(retentionSetting), false);
    const rule = createExpiryRule({ retentionSetting, expiresAllDeleted: false }, now);
    assert.deepEqual(rule, { deletedBefore: undefined, now });
    const { deletedBefore = 0 } = createExpiryRule({ retentionSetting, expiresAllDeleted: true }, now);
    assert.ok(deletedBefore > now);
  }
});
