// Writes when demo units are open and how they may be booked, as they were set up once.

import type { WriteDb } from '../database/dialect.ts';
import { insertRows } from '../database/insert.ts';
import type { Tenant } from '../tenants.ts';
import { givenPolicy } from './booking-policies.ts';
import { dayMs } from './calendar.ts';
import type { Community } from './foundation.ts';
import { demoExceptions, demoOpening } from './openings.ts';
import type { DemoBank } from './places.ts';
import { givenRows, writeGivenRows, type GivenRows } from './unit-settings.ts';

const setUpDaysAgo = 800;

export async function writeOpeningsAndPolicies(
  db: WriteDb,
  { currency, timeZone }: Tenant,
  communities: readonly Community[],
  now: number,
): Promise<void> {
  const banks = communities.map(({ bank }) => bank);
  const changedAt = now - setUpDaysAgo * dayMs;
  await writeGivenRows(
    db,
    banks.flatMap((bank) => rowsOf(bank, currency, changedAt)),
  );
  const exceptions = banks.flatMap((bank) => demoExceptions(bank, timeZone, now));
  await insertRows(db, 'opening_exceptions', exceptions);
}

function rowsOf({ bankId, type: bankType, locations }: DemoBank, currency: string, changedAt: number): GivenRows[] {
  const units = locations.flatMap((location) => location.units);
  return units.map(({ locationId, unitId, type }) => {
    const values = [...demoOpening(type, { bankId, locationId }), ...givenPolicy(bankType, type, currency)];
    return givenRows(
      { bankId, locationId, unitId },
      values.map(([name, value]) => ({ name, value, changedAt })),
    );
  });
}
