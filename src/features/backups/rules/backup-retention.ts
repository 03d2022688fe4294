// Decides which backups of a directory are no longer kept: of each day, week and month only the newest one, of so many
// days, weeks and months that have one.

import { dayMs } from '../../../lib/time/durations.ts';
import { tenantNamePattern } from '../../../lib/kid.ts';

/** How many days, ISO weeks and months with a backup keep their newest one. */
export type KeptBackups = { readonly daily: number; readonly weekly: number; readonly monthly: number };

/** `sund-20260601T030000Z.backup` */
const namePattern = new RegExp(`^(${tenantNamePattern})-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z\\.backup$`);

export const formatBackupName = (tenant: string, at: Date): string =>
  `${tenant}-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`;

type NamedBackup = { readonly name: string; readonly at: Date };

/** The names of backups of this tenant that are not kept. Names of another form are never among them, nor is the newest. */
export function listExpiredBackups(tenant: string, names: readonly string[], kept: KeptBackups): string[] {
  const newestFirst = names
    .flatMap((name) => parseBackupName(tenant, name) ?? [])
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const keptNames = new Set(newestFirst.slice(0, 1).map(({ name }) => name));
  for (const name of [
    ...newestOfPeriods(newestFirst, kept.daily, dayOf),
    ...newestOfPeriods(newestFirst, kept.weekly, weekOf),
    ...newestOfPeriods(newestFirst, kept.monthly, monthOf),
  ])
    keptNames.add(name);
  return newestFirst.map(({ name }) => name).filter((name) => !keptNames.has(name));
}

/** Undefined where it is no name of a backup of this tenant. */
function parseBackupName(tenant: string, name: string): NamedBackup | undefined {
  const [, ofTenant, year, month, day, hour, minute, second] = namePattern.exec(name) ?? [];
  if (ofTenant !== tenant) return undefined;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // A day that no month has becomes another one, or none.
  return !Number.isNaN(at.getTime()) && formatBackupName(tenant, at) === name ? { name, at } : undefined;
}

function newestOfPeriods(
  newestFirst: readonly NamedBackup[],
  count: number,
  periodOf: (at: Date) => string,
): readonly string[] {
  const byPeriod = Map.groupBy(newestFirst, ({ at }) => periodOf(at));
  return [...byPeriod.values()].slice(0, count).flatMap(([newest]) => newest?.name ?? []);
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The Monday with which its week begins (ISO 8601). */
const weekOf = (at: Date): string => dayOf(new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * dayMs));
