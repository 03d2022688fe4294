// Asks for what `useTimeZones` reads, before a screen is there.

import { may } from '../api/rights.ts';
import type { Ask } from '../layout/start-screen.ts';

const maxLimit = 200;

export const zonesInput = (bankKid: string) => ({ bankKid, limit: maxLimit });

export function startTimeZones(ask: Ask, bankKid: string): void {
  ask('GetCurrentManager', {}, (manager) => {
    if (may(manager, 'GetBankLocations')) ask('GetBankLocations', zonesInput(bankKid));
  });
}
