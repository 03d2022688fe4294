// Creates the demo tenant's residents: most active, some disabled, deleted or expired.

import type { ResidentField } from '../src/features/residents/fields.ts';
import type { Tenant } from '../src/tenants.ts';
import { guestId } from '../src/lib/kid.ts';
import { languageOfCountry } from '../src/lib/text/language.ts';
import type { DemoBank } from './places/places.ts';
import { dayMs } from '../src/lib/time/durations.ts';

export type DemoResident = Readonly<Record<ResidentField, string>> & {
  readonly residentId: number;
  readonly locationId: number;
  readonly enabled: boolean;
  /** When the resident got the tag and the activation code. */
  readonly addedAt: number;
  readonly deletedAt: number | null;
  /** The identity expires at this instant. */
  readonly expiredAt: number | null;
};

type ResidentStatus = 'active' | 'disabled' | 'deleted' | 'expired' | 'expiring';

export function createDemoResidents(bank: DemoBank, { country }: Tenant, now: number): DemoResident[] {
  const language = languageOfCountry(country);
  const phonePrefix = phonePrefixes[country] ?? otherPhonePrefix;
  const locationIds = bank.locations.map(({ locationId }) => locationId);
  return Array.from({ length: bank.residents }, (_, index) => {
    const number = index + 1;
    return {
      residentId: guestId + number,
      locationId: locationIds[index % locationIds.length] as number,
      name: `Demo Resident ${number}`,
      apartment: `${1 + (Math.floor(index / locationIds.length) % 6)}. ${index % 2 === 0 ? 'left' : 'right'}`,
      email: `resident${number}@example.org`,
      phone: `${phonePrefix} ${String(number).padStart(4, '0')}`,
      addedAt: now - (1 + (index % 10)) * dayMs,
      language: index % 7 === 6 ? 'en' : language,
      ...lifecycleOf(residentStatusAt(index, bank.enabled), index, now),
    };
  });
}

/** The numbers are made up, but long enough for their country, so they can be saved. */
const phonePrefixes: Readonly<Record<string, string>> = {
  DK: '+45 10 00',
  NO: '+47 10 00',
  SE: '+46 10 00',
  DE: '+49 10 00',
  GB: '+44 1000 00',
  IS: '+354 100',
};
const otherPhonePrefix = '+44 1000 00';

function residentStatusAt(index: number, bankEnabled: boolean): ResidentStatus {
  if (!bankEnabled) return (['disabled', 'deleted', 'expired'] as const)[Math.floor(index / 3) % 3] as ResidentStatus;
  if (index === 10) return 'expiring';
  if (index % 25 === 24) return 'expired';
  if (index % 20 === 13) return 'deleted';
  return index % 20 === 7 ? 'disabled' : 'active';
}

function lifecycleOf(
  life: ResidentStatus,
  index: number,
  now: number,
): Pick<DemoResident, 'enabled' | 'deletedAt' | 'expiredAt'> {
  const daysAgo = (days: number): number => now - days * dayMs;
  if (life === 'active' || life === 'disabled') return { enabled: life === 'active', deletedAt: null, expiredAt: null };
  if (life === 'deleted') return { enabled: false, deletedAt: daysAgo(15 + index), expiredAt: null };
  if (life === 'expiring') return { enabled: false, deletedAt: daysAgo(15), expiredAt: daysAgo(-75) };
  return { enabled: false, deletedAt: daysAgo(300), expiredAt: daysAgo(100) };
}
