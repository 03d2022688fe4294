// How far the public statistics look back.

import { hourMs } from '../../../lib/time/durations.ts';

export const purchasesLookbackHours = 1;
export const activeUsersLookbackDays = 100;

/** MS2000. What counts is newer than `since`. */
export type Lookback = { readonly since: number; readonly measuredAt: number };

export const lookBackForPurchases = (now: number): Lookback => lookBack(now, purchasesLookbackHours * hourMs);

export const lookBackForActiveUsers = (now: number): Lookback => lookBack(now, activeUsersLookbackDays * 24 * hourMs);

const lookBack = (now: number, lengthMs: number): Lookback => ({ since: now - lengthMs, measuredAt: now });
