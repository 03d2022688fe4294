// The table that oracles count clock changes by, against the zone database of the machine.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { findProgram, reasonWithout } from '../support/programs.ts';
import { firstYear, lastYear, parseUtcMinute, offsetAt, tenantClocks } from '../support/clock-changes.ts';
import { builtInTenants } from '../../src/tenants.ts';

test('the clocks of the oracles are those of the six tenants', () => {
  assert.deepEqual(
    tenantClocks.map(({ zone }) => zone),
    builtInTenants.map(({ timeZone }) => timeZone),
  );
});

const skip = reasonWithout('zdump');

const zdump = (zone: string): string =>
  execFileSync(findProgram('zdump') ?? '', ['-v', '-c', `${firstYear},${lastYear + 1}`, zone], { encoding: 'utf8' });

const line = /  \w{3} (\w{3}) +(\d+) (\d\d:\d\d:\d\d) (\d{4}) UTC? = .* gmtoff=(-?\d+)$/;

/** Every instant that zdump tells the offset of within the years of the table: the seconds around each change. */
function told(text: string): { instant: number; offset: number }[] {
  return text.split('\n').flatMap((each) => {
    const [, month, day, time, year, seconds] = line.exec(each) ?? [];
    if (month === undefined || Number(year) < firstYear || Number(year) > lastYear) return [];
    return [{ instant: parseUtcMinute(`${day} ${month} ${year} ${time} UTC`), offset: Number(seconds) / 60 }];
  });
}

for (const clocks of tenantClocks) {
  test(`the clocks of ${clocks.zone} change when the machine's zone database says so`, { skip }, () => {
    const around = told(zdump(clocks.zone));
    for (const { instant, offset } of around) assert.equal(offsetAt(clocks, instant), offset, String(instant));
    const changes = around.filter(({ instant }) => Number.isInteger(instant)).map(({ instant }) => instant);
    assert.deepEqual(changes, clocks.changes);
  });
}
