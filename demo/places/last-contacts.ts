// Decides when the devices of demo units were last in contact: most a moment ago, some too long ago to be online, a few
// very long ago or never.

import type { BankType } from '../../src/features/places/rules/bank-types.ts';
import type { Random } from '../random.ts';
import { dayMs, hourMs, minuteMs } from '../../src/lib/time/durations.ts';

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
