// Parses the options of `manager create`.

import type { InsertManagerInput } from '../../features/managers/queries/insert-managers.ts';
import { parseUserName } from '../../features/managers/rules/user-name.ts';
import { CommandError } from '../command-error.ts';
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

/** Throws CommandError. */
export function parseManagerOptions(options: CreateManagerOptions, tenant: string): ParsedManager {
  const parsed = parseUserName(options.userName);
  if ('reason' in parsed) throw new CommandError(`--user-name ${parsed.reason}`);
  const { value: userName } = parsed;
  return {
    userName,
    name: parseLine('--name', options.name, 200) || userName,
    email: parseLine('--email', options.email, 254),
    organisation: parseLine('--organisation', options.organisation, 200),
    tabs: parseTabs(options.tab),
    permissions: parsePermissions(options.permission),
    grants: parseGrants(options.grant, tenant),
  };
}

/** One line of text, without the spaces around it. */
function parseLine(flag: string, given: string, maxLength: number): string {
  const text = given.trim();
  if (text.length > maxLength || /\p{Cc}/u.test(text))
    throw new CommandError(`${flag} must have 0 to ${maxLength} characters, none of them a control character`);
  return text;
}
