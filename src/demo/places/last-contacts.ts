// Decides when the devices of demo units were last in contact: most a moment ago, some too long ago to be online, a few
// very long ago or never.

import { sql, type RawBuilder } from 'kysely';
import type { WriteDb } from '../../database/db.ts';
import { bankTypes, type BankType } from '../../features/places/rules/bank-types.ts';
import { contactBounds } from '../../features/places/rules/contact-status.ts';
import type { Random } from '../random.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';

type ContactState = 'online' | 'offline' | 'forgotten' | 'never';

// Used in turn, so that every bank has some of each state, even without its deleted units. No location has a multiple
// of this number of units.
const contactStateCycle: readonly ContactState[] = [
  'online',
  'online',
  'offline',
  'online',
  'never',
  'online',
  'online',
  'forgotten',
  'online',
  'offline',
  'online',
];

/** The last contact of a bank's unit by its number in the bank, MS2000; null if there was none. */
export function pickLastContactAt(number: number, bankType: BankType, now: number, random: Random): number | null {
  const contact = contactStateCycle[number % contactStateCycle.length];
  if (contact === 'online') return now - random.int(0, 45 * minuteMs);
  if (contact === 'offline') return now - random.int(bankType === 'cash' ? 2 * hourMs : 26 * hourMs, 60 * dayMs);
  return contact === 'forgotten' ? now - random.int(110 * dayMs, 500 * dayMs) : null;
}

/** A unit of the bank `b` is online if its last contact is after this instant. */
export function onlineThreshold(now: number): RawBuilder<number> {
  const [cash, other] = [bankTypes.cash, bankTypes.rent].map((type) => contactBounds(type, now).onlineAfter);
  return sql<number>`case b.bank_type when ${bankTypes.cash} then ${cash} else ${other} end`;
}

/**
 * Renews the contact of the devices that were online at the latest contact of any device, also after a pause of the
 * service. Devices that were offline then stay offline.
 */
export async function refreshLastContacts(db: WriteDb, now: number): Promise<void> {
  // An update can read its own table only through a derived table.
  const latest = sql<number>`(select latest from (select max(last_contact_at) as latest from units) as heard)`;
  const [cash, other] = [bankTypes.cash, bankTypes.rent].map((type) => contactBounds(type, 0).onlineAfter);
  const cashBanks = sql`(select bank_id from banks where bank_type = ${bankTypes.cash})`;
  await sql`update units set last_contact_at = ${now} where deleted_at is null
    and last_contact_at > ${latest} + case when bank_id in ${cashBanks} then ${cash} else ${other} end`.execute(db);
}
