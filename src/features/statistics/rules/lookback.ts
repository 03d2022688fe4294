// How far the public statistics look back.

export const purchasesLookbackHours = 1;
export const activeUsersLookbackDays = 100;

/** MS2000. What counts is newer than `since`. */
export type Lookback = { readonly since: number; readonly measuredAt: number };

const hourMs = 3_600_000;

export const lookBackForPurchases = (now: number): Lookback => lookBack(now, purchasesLookbackHours * hourMs);

export const lookBackForActiveUsers = (now: number): Lookback => lookBack(now, activeUsersLookbackDays * 24 * hourMs);

const lookBack = (now: number, lengthMs: number): Lookback => ({ since: now - lengthMs, measuredAt: now });
