// The demo tenant's residents: most active, some disabled, deleted or expired.

import type { Tenant } from '../tenants.ts';
import { guestUserId } from '../lib/kid.ts';
import { dayMs } from './calendar.ts';
import type { DemoBank } from './places.ts';

export type DemoResident = {
  readonly residentId: number;
  readonly locationId: number;
  readonly name: string;
  readonly apartment: string;
  readonly email: string;
  readonly phone: string;
  readonly language: string;
  readonly enabled: boolean;
  readonly deletedAt: number | null;
  /** From then on the identity is gone. */
  readonly expiredAt: number | null;
};

type Life = 'active' | 'disabled' | 'deleted' | 'expired' | 'expiring';

export function demoResidents(bank: DemoBank, { country }: Tenant, now: number): DemoResident[] {
  const homes = bank.locations.map(({ locationId }) => locationId);
  return Array.from({ length: bank.residents }, (_, at) => {
    const number = at + 1;
    return {
      residentId: guestUserId + number,
      locationId: homes[at % homes.length] as number,
      name: `Demo Resident ${number}`,
      apartment: `${1 + (Math.floor(at / homes.length) % 6)}. ${at % 2 === 0 ? 'left' : 'right'}`,
      email: `resident${number}@example.org`,
      phone: `000-${String(number).padStart(4, '0')}`,
      language: at % 7 === 6 ? 'en' : (languageOf[country] ?? 'en'),
      ...stateOf(lifeOf(at, bank.enabled), at, now),
    };
  });
}

const languageOf: Readonly<Record<string, string>> = { DK: 'da', NO: 'nb', SE: 'sv', DE: 'de', GB: 'en', IS: 'is' };

function lifeOf(at: number, bankEnabled: boolean): Life {
  if (!bankEnabled) return (['disabled', 'deleted', 'expired'] as const)[Math.floor(at / 3) % 3] as Life;
  if (at === 10) return 'expiring';
  if (at % 25 === 24) return 'expired';
  if (at % 20 === 13) return 'deleted';
  return at % 20 === 7 ? 'disabled' : 'active';
}

function stateOf(life: Life, at: number, now: number): Pick<DemoResident, 'enabled' | 'deletedAt' | 'expiredAt'> {
  const daysAgo = (days: number): number => now - days * dayMs;
  if (life === 'active' || life === 'disabled') return { enabled: life === 'active', deletedAt: null, expiredAt: null };
  if (life === 'deleted') return { enabled: false, deletedAt: daysAgo(15 + at), expiredAt: null };
  if (life === 'expiring') return { enabled: false, deletedAt: daysAgo(15), expiredAt: daysAgo(-75) };
  return { enabled: false, deletedAt: daysAgo(300), expiredAt: daysAgo(100) };
}
