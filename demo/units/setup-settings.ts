// Writes the initial settings of demo units: when they are open and how they can be booked.

import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tenant } from '../../src/tenants.ts';
import { storedBookingPolicy } from '../bookings/booking-policies.ts';
import type { BankWithResidents } from '../master-data.ts';
import { demoExceptionRows, demoOpeningSettings } from './opening-hours.ts';
import type { DemoBank } from '../places/places.ts';
import { createSettingRows, insertSettingRows, type SettingRows } from './setting-rows.ts';
import { dayMs } from '../../src/lib/time/durations.ts';

const setUpDaysAgo = 800;

export async function writeOpeningsAndPolicies(
  db: WriteDb,
  { currency, timeZone }: Tenant,
  communities: readonly BankWithResidents[],
  now: number,
): Promise<void> {
  const banks = communities.map(({ bank }) => bank);
  const changedAt = now - setUpDaysAgo * dayMs;
  await insertSettingRows(
    db,
    banks.flatMap((bank) => settingRowsOfBank(bank, currency, changedAt)),
  );
  const exceptions = banks.flatMap((bank) => demoExceptionRows(bank, timeZone, now));
  await insertRows(db, 'opening_exceptions', exceptions);
}

function settingRowsOfBank(
  { bankId, type: bankType, locations }: DemoBank,
  currency: string,
  changedAt: number,
): SettingRows[] {
  const units = locations.flatMap((location) => location.units);
  return units.map(({ locationId, unitId, type }) => {
    const values = [
      ...demoOpeningSettings(type, { bankId, locationId }),
      ...storedBookingPolicy(bankType, type, currency),
    ];
    return createSettingRows(
      { bankId, locationId, unitId },
      values.map(([name, value]) => ({ name, value, changedAt })),
    );
  });
}
