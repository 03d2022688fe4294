// The day of today in a place.

/** As `2026-11-24`: the format of Swedish dates is that of ISO 8601. */
export const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(new Date());

const dayMs = 86_400_000;

/** The last so many days until now, as instants. */
export function lastDays(days: number): { readonly from: string; readonly through: string } {
  const now = Date.now();
  return { from: new Date(now - days * dayMs).toISOString(), through: new Date(now).toISOString() };
}

/** The day of an instant in a place. */
export const dayOf = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(new Date(instant));
