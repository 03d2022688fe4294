// When the devices of demo units were last heard of: most just now, some too long ago to be online, a few so long ago, or
// never, that nobody knows.

import { sql, type RawBuilder } from 'kysely';
import type { WriteDb } from '../../database/db.ts';
import { bankTypes, type BankType } from '../../features/places/rules/bank-types.ts';
import { contactBounds } from '../../features/places/rules/contact-status.ts';
import { dayMs, hourMs, minuteMs } from '../calendar.ts';
import type { Random } from '../random.ts';

type ContactState = 'online' | 'offline' | 'forgotten' | 'never';

// In turns, so that every bank has some of each, whatever is deleted in it; no location has a multiple of it in units.
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

/** The last contact of a bank's unit by its number in the bank, MS2000; null where there never was one. */
export function pickLastContactAt(number: number, bankType: BankType, now: number, random: Random): number | null {
  const contact = contactStateCycle[number % contactStateCycle.length];
  if (contact === 'online') return now - random.int(0, 45 * minuteMs);
  if (contact === 'offline') return now - random.int(bankType === 'cash' ? 2 * hourMs : 26 * hourMs, 60 * dayMs);
  return contact === 'forgotten' ? now - random.int(110 * dayMs, 500 * dayMs) : null;
}

/** After what instant a unit of the bank `b` has to have been heard of to be online. */
export function onlineThreshold(now: number): RawBuilder<number> {
  const [cash, other] = [bankTypes.cash, bankTypes.rent].map((type) => contactBounds(type, now).onlineAfter);
  return sql<number>`case b.bank_type when ${bankTypes.cash} then ${cash} else ${other} end`;
}

/**
 * Lets those devices be heard of again that were online when any was last heard of: now, or before whatever pause there
 * was. Who was silent stays so.
 */
export async function refreshLastContacts(db: WriteDb, now: number): Promise<void> {
  // A table that is being updated can be asked about itself at one remove alone.
  const latest = sql<number>`(select latest from (select max(last_contact_at) as latest from units) as heard)`;
  const [cash, other] = [bankTypes.cash, bankTypes.rent].map((type) => contactBounds(type, 0).onlineAfter);
  const cashBanks = sql`(select bank_id from banks where bank_type = ${bankTypes.cash})`;
  await sql`update units set last_contact_at = ${now} where deleted_at is null
    and last_contact_at > ${latest} + case when bank_id in ${cashBanks} then ${cash} else ${other} end`.execute(db);
}
