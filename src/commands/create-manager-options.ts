// Parses the options of `manager create`.

import type { InsertManagerInput } from '../features/managers/queries/insert-managers.ts';
import { normalizeUserName } from '../features/managers/rules/user-name.ts';
import { CommandError } from './command-error.ts';
import { parseGrants, parsePermissions, parseTabs } from './manager-rights-options.ts';

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
    tabs: parseTabs(options.tab),
    permissions: parsePermissions(options.permission),
    grants: parseGrants(options.grant, tenant),
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
