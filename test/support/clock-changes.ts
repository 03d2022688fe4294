// The clocks of the tenants' zones from 2024 to 2030 without Temporal: a table of when they change, and arithmetic on
// minutes. Instants are minutes since 1970 in UTC, walls minutes since 1970 as local clocks show them.

/** By how many minutes the zone's clocks are ahead of UTC in winter; in summer an hour more, where there is a summer. */
export type ZoneClock = {
  readonly zone: string;
  readonly winterOffsetMinutes: number;
  readonly changes: readonly number[];
};

const minuteMs = 60_000;
export const parseUtcMinute = (utc: string): number => Date.parse(utc) / minuteMs;
export const formatUtcMinute = (minute: number): string => new Date(minute * minuteMs).toISOString();

/** The years that the table covers. */
export const firstYear = 2024;
export const lastYear = 2030;

// To summer time and back, by year: all of the European Union and the United Kingdom at the same instant.
const summerTimeDays = {
  2024: ['03-31', '10-27'],
  2025: ['03-30', '10-26'],
  2026: ['03-29', '10-25'],
  2027: ['03-28', '10-31'],
  2028: ['03-26', '10-29'],
  2029: ['03-25', '10-28'],
  2030: ['03-31', '10-27'],
} as const;
const europeanChanges = Object.entries(summerTimeDays).flatMap(([year, days]) =>
  days.map((day) => parseUtcMinute(`${year}-${day}T01:00:00Z`)),
);

export const tenantClocks: readonly ZoneClock[] = [
  ...['Europe/Copenhagen', 'Europe/Oslo', 'Europe/Stockholm', 'Europe/Berlin'].map((zone) => ({
    zone,
    winterOffsetMinutes: 60,
    changes: europeanChanges,
  })),
  { zone: 'Europe/London', winterOffsetMinutes: 0, changes: europeanChanges },
  { zone: 'Atlantic/Reykjavik', winterOffsetMinutes: 0, changes: [] },
];

/** How far the zone's clocks are ahead of UTC at an instant. */
export function offsetAt({ winterOffsetMinutes, changes }: ZoneClock, instant: number): number {
  return winterOffsetMinutes + (changes.filter((at) => at <= instant).length % 2) * 60;
}

/** The wall time at an instant. */
export const wallTimeAt = (clocks: ZoneClock, instant: number): number => instant + offsetAt(clocks, instant);

/** The first instant with this wall time; a skipped one is computed with the offset before the change. */
export function instantAt(clocks: ZoneClock, wall: number): number {
  const { winterOffsetMinutes } = clocks;
  const found = [winterOffsetMinutes + 60, winterOffsetMinutes]
    .map((offset) => wall - offset)
    .filter((at) => wallTimeAt(clocks, at) === wall);
  return found[0] ?? wall - winterOffsetMinutes;
}

/** Days since 1970 of a wall time, and the wall time with which a day begins. */
export const dayOfWall = (wall: number): number => Math.floor(wall / 1440);
export const wallOfDay = (day: number): number => day * 1440;

/** `YYYY-MM-DD`, and the ISO weekday, of a day. */
export const dateText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
export const weekdayOf = (day: number): number => ((day + 3) % 7) + 1;
