// Parses the options of `manager create`.

import type { InsertManagerInput } from '../features/credentials/queries/managers.ts';
import { normalizeUserName } from '../features/credentials/rules/user-name.ts';
import { parseKid } from '../lib/kid.ts';
import { isPermission, isTab, permissions, tabs } from '../permissions/matrix.ts';
import { CommandError } from './command-error.ts';

export type CreateManagerOptions = {
  readonly tenant: string;
  readonly userName: string;
  readonly name: string;
  readonly email: string;
  readonly organisation: string;
  readonly tab?: string[];
  readonly permission?: string[];
  readonly grant?: string[];
};

type ParsedManager = Pick<
  InsertManagerInput,
  'userName' | 'name' | 'email' | 'organisation' | 'tabs' | 'permissions' | 'grants'
>;

const maxUserNameLength = 128;

/** Throws CommandError. */
export function parseManagerOptions(options: CreateManagerOptions, tenant: string): ParsedManager {
  const userName = parseLine('--user-name', options.userName, 1, maxUserNameLength);
  // Normalization can turn a few characters into many.
  if (normalizeUserName(userName).length > maxUserNameLength)
    throw new CommandError(
      `--user-name must have at most ${maxUserNameLength} characters in its normalized form (NFKC)`,
    );
  return {
    userName,
    name: parseLine('--name', options.name, 0, 200) || userName,
    email: parseLine('--email', options.email, 0, 254),
    organisation: parseLine('--organisation', options.organisation, 0, 200),
    tabs: parseNames(options.tab ?? [], tabs, isTab, '--tab'),
    permissions: parseNames(options.permission ?? [], permissions, isPermission, '--permission'),
    grants: [...new Set(options.grant)].map((kid) => parseGrant(kid, tenant)),
  };
}

/** One line of text, without the spaces around it. */
function parseLine(flag: string, given: string, minLength: number, maxLength: number): string {
  const text = given.trim();
  if (text.length < minLength || text.length > maxLength || /\p{Cc}/u.test(text)) {
    throw new CommandError(
      `${flag} must have ${minLength} to ${maxLength} characters, none of them a control character`,
    );
  }
  return text;
}

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

function parseGrant(text: string, tenant: string): { bankId: number; locationId: number } {
  const kid = parseKid(text, tenant, ['tenant', 'bank', 'location']);
  if (kid === undefined)
    throw new CommandError(`--grant ${text}: expected the KID of this tenant, or of one of its banks or locations`);
  if (kid.type === 'tenant') return { bankId: 0, locationId: 0 };
  return { bankId: kid.bankId, locationId: kid.type === 'location' ? kid.locationId : 0 };
}
