// Defines when demo units are open: a week for each type, and exceptions on a few coming days.

import type { Tables } from '../../src/database/tables.ts';
import type { UnitType } from '../../src/features/places/rules/unit-types.ts';
import { openingSettings } from '../../src/features/units/catalogue/opening-settings.ts';
import { todayIn } from '../../src/lib/time/time-zone.ts';
import type { DemoBank } from '../places/places.ts';

const alwaysOpen = '00:00-24:00';
const laundryHours = '07:00-22:00';

/** The hours of every day, or of Monday to Friday, Saturday and Sunday. */
const openingHoursByType: Partial<
  Record<UnitType, string | readonly [workdays: string, saturday: string, sunday: string]>
> = {
  washer: laundryHours,
  ironer: laundryHours,
  extractor: laundryHours,
  dryer: '06:00-24:00',
  sauna: laundryHours,
  shower: ['05:00-23:00', '07:00-23:00', 'closed'],
  party_room: ['10:00-24:00', '10:00-02:00', '14:00-02:00'],
  gym: '06:00-23:00',
  storage_room: ['06:00-12:00,13:00-20:00', '09:00-14:00', 'closed'],
  payment_terminal: '06:00-24:00',
  door: alwaysOpen,
  gate: alwaysOpen,
  elevator: alwaysOpen,
  parcel_locker: alwaysOpen,
  guest_room: alwaysOpen,
  parking: alwaysOpen,
  ev_charger: alwaysOpen,
  bike_charger: alwaysOpen,
};

/** The location whose units have no opening hours, so that these are unknown. */
const locationWithoutHours = { bankId: 1001, locationId: 4 };

/** The opening settings of a unit, by name. */
export function demoOpeningSettings(
  type: UnitType,
  { bankId, locationId }: { readonly bankId: number; readonly locationId: number },
): ReadonlyMap<string, string> {
  const week = openingHoursByType[type];
  if (week === undefined || (bankId === locationWithoutHours.bankId && locationId === locationWithoutHours.locationId))
    return new Map();
  const [workdays, saturday, sunday] = typeof week === 'string' ? [week, week, week] : week;
  const texts = [workdays, workdays, workdays, workdays, workdays, saturday, sunday];
  return new Map(openingSettings.map(({ name }, index) => [name, texts[index] ?? workdays]));
}

/** In days from today. */
const [holiday, dayAfter] = [9, 10];

/** The exceptions of a bank, relative to the present. A disabled bank has none. */
export function demoExceptionRows(bank: DemoBank, zone: string, now: number): Tables['opening_exceptions'][] {
  if (!bank.enabled) return [];
  const today = todayIn(zone, now);
  return bank.locations.flatMap(({ locationId, units }) => {
    const on = (days: number, intervals: string, text: string, unitId = 0): Tables['opening_exceptions'] => {
      const day = today.add({ days }).toString();
      return { bank_id: bank.bankId, location_id: locationId, unit_id: unitId, day, intervals, text };
    };
    const doors = units.filter(({ type }) => type === 'door');
    return [
      ...(bank.bankId === 1001 && locationId === 2 ? [on(0, '10:00-16:00', 'Maintenance')] : []),
      on(holiday, 'closed', 'Public holiday'),
      on(dayAfter, '10:00-15:00', 'Day after the holiday'),
      ...doors.map(({ unitId }) => on(holiday, alwaysOpen, 'Doors stay in use on the holiday', unitId)),
    ];
  });
}
