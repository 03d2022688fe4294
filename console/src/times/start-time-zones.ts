// Asks for what `useTimeZones` reads, before a screen is there.

import { largestPages } from '../api/limits.ts';
import { may } from '../api/rights.ts';
import type { Ask } from '../layout/start-screen.ts';

export const zonesInput = (bankKid: string) => ({ bankKid, limit: largestPages.GetBankLocations });

export function startTimeZones(ask: Ask, bankKid: string): void {
  ask('GetCurrentManager', {}, (manager) => {
    if (may(manager, 'GetBankLocations')) ask('GetBankLocations', zonesInput(bankKid));
  });
}
