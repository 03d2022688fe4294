// Calendar days: that of today in a place, those of a week, and how they are counted.

import { remember } from '../language/remember.ts';

/** The format of Swedish dates is that of ISO 8601. */
const isoDays = remember((timeZone) => new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }));

/** Writes the day as `2026-11-24`. */
export const todayIn = (timeZone: string): string => isoDays(timeZone).format(new Date());

const dayMs = 86_400_000;

/** The first and the last of several days. */
export type Days = { readonly from: string; readonly through: string };

/** The last so many days until now, as instants. */
export function lastDays(days: number): { readonly from: string; readonly through: string } {
  const now = Date.now();
  return { from: new Date(now - days * dayMs).toISOString(), through: new Date(now).toISOString() };
}

/** The day of an instant in a place. */
export const dayOf = (instant: string, timeZone: string): string => isoDays(timeZone).format(new Date(instant));

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

const daysOfWeek = 7;

/** The days of the week of a day, from Monday on. */
export function weekOf(day: string): string[] {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const monday = addDays(day, -((weekday + daysOfWeek - 1) % daysOfWeek));
  return Array.from({ length: daysOfWeek }, (_, index) => addDays(monday, index));
}
