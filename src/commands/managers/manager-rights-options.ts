// Parses Tabs, permissions and grants that are given as options.

import { parseGrant, type GrantTarget } from '../../features/manager-administration/rules/manager-state.ts';
import { isPermission, isTab, permissions, tabs, type Permission, type Tab } from '../../permissions/matrix.ts';
import { CommandError } from '../command-error.ts';

/** `all` stands for every value. Throws CommandError. */
export const parseTabs = (given: readonly string[] = [], flag = '--tab'): readonly Tab[] =>
  parseNames(given, tabs, isTab, flag);

export const parsePermissions = (given: readonly string[] = [], flag = '--permission'): readonly Permission[] =>
  parseNames(given, permissions, isPermission, flag);

function parseNames<T extends string>(
  given: readonly string[],
  all: readonly T[],
  isKnown: (name: string) => name is T & string,
  flag: string,
): readonly T[] {
  if (given.includes('all')) return all;
  const wrong = given.find((name) => !isKnown(name));
  if (wrong !== undefined) throw new CommandError(`${flag} ${wrong}: expected all, or one of ${all.join(', ')}`);
  return [...new Set(given as T[])];
}

export const parseGrants = (given: readonly string[] = [], tenant: string, flag = '--grant'): readonly GrantTarget[] =>
  [...new Set(given)].map((text) => {
    const place = parseGrant(text, tenant);
    if (place !== undefined) return place;
    throw new CommandError(`${flag} ${text}: expected the KID of this tenant, or of one of its banks or locations`);
  });
