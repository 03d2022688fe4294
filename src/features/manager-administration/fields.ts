// The fields of managers. Schemas, the audit log, imports and exports follow from this table, in its order.

import { Type } from 'typebox';
import { maxEmailOctets, parseEmail, parseText, splitWords, type FieldResult } from '../../lib/values/field-values.ts';
import { fieldNamesWith, type TextField } from '../../lib/values/fields.ts';
import { isPermission, isTab, listPermissions, permissions, tabs } from '../../permissions/matrix.ts';
import type { Grants, Rights } from '../../permissions/needs.ts';
import { defaultPersonIcon, parsePersonIcon } from '../icons/rules/person-icons.ts';
import { parseUserName } from '../managers/rules/user-name.ts';
import type { AdministeredManager } from './queries/managers.ts';
import { listScopes } from './rules/granted-scopes.ts';
import { grantsOf, parseGrant, type GrantTarget, type ManagerState } from './rules/manager-state.ts';

const maxLength = 200;
const parseLine = (text: string): FieldResult => parseText(text, maxLength);

export type RightedManager = { readonly row: AdministeredManager; readonly rights: Rights };

/** What is personal is never in the audit log. */
type ManagerField = TextField<RightedManager> & { readonly isPersonal?: true };

export const managerFields = {
  userName: {
    isPersonal: true,
    imported: {
      description: 'For logging in. It cannot be changed.',
      example: 'manager@example.com',
      isRequired: true,
    },
    parse: parseUserName,
    write: ({ row }) => row.user_name,
  },
  name: {
    isPersonal: true,
    output: Type.String(),
    imported: { description: 'Up to 200 characters. Empty: the user name.', example: 'Example Manager' },
    parse: parseLine,
    write: ({ row }) => row.name,
  },
  email: {
    isPersonal: true,
    output: Type.String({ maxLength: maxEmailOctets }),
    imported: { description: 'An email address, or empty.', example: 'manager@example.com' },
    parse: parseEmail,
    write: ({ row }) => row.email,
  },
  organisation: {
    isPersonal: true,
    output: Type.String(),
    imported: { description: 'Up to 200 characters, or empty.', example: 'Example Housing' },
    parse: parseLine,
    write: ({ row }) => row.organisation,
  },
  state: {
    imported: {
      description:
        '`active` or `disabled`. A new manager is disabled and has no password, which is never imported: the commands `manager reset-password` and `manager activate` let them log in.',
      example: 'disabled',
    },
    parse: parseState,
    write: ({ row }) => (row.active === 1 ? 'active' : 'disabled'),
  },
  tabs: {
    imported: { description: 'Names of Tabs, separated by spaces, or `all`.', example: 'Dashboard1 Users2' },
    parse: (text) => parseNames(text, tabs),
    write: ({ rights }) => tabs.filter((tab) => rights.tabs.has(tab)).join(' '),
  },
  permissions: {
    imported: {
      description:
        'Permissions, separated by spaces, or `all`. Nobody can give or take a Tab or a permission without holding it.',
      example: 'Bank.Read User.Read',
    },
    parse: (text) => parseNames(text, permissions),
    write: ({ rights }) => listPermissions(rights.permissions).join(' '),
  },
  grants: {
    imported: { description: '`tenant`, or banks and locations, separated by spaces.', example: '' },
    parse: parseGrants,
    write: ({ rights }, tenant) => formatGrants(rights.grants, tenant),
  },
  icon: {
    output: Type.String({ description: 'Icon KID for the icon operations.', examples: ['person'] }),
    imported: { description: 'Name of an icon of a person. Empty: person.', example: defaultPersonIcon },
    parse: parsePersonIcon,
    write: ({ row }) => row.person_icon,
  },
} as const satisfies Readonly<Record<string, ManagerField & { readonly output?: unknown }>>;

export const personalManagerFields = fieldNamesWith(managerFields, 'isPersonal');

function parseNames(text: string, all: readonly string[]): FieldResult {
  const names = splitWords(text);
  if (names.includes('all')) return { value: all.join(' ') };
  return names.every((name) => all.includes(name))
    ? { value: all.filter((name) => names.includes(name)).join(' ') }
    : { reason: `must be all, or some of ${all.join(', ')}` };
}

function parseState(text: string): FieldResult {
  const state = text.trim() || 'disabled';
  return state === 'active' || state === 'disabled' ? { value: state } : { reason: 'must be active or disabled' };
}

const wholeTenant = 'tenant';

const parseWord = (word: string, tenant: string): GrantTarget | undefined =>
  parseGrant(word === wholeTenant ? tenant : word, tenant);

function parseGrants(text: string, tenant: string): FieldResult {
  const places = splitWords(text).map((word) => parseWord(word, tenant));
  return places.every((place) => place !== undefined)
    ? { value: formatGrants(grantsOf(places), tenant) }
    : { reason: 'must be tenant, or banks and locations of this tenant, by keys or KIDs, separated by spaces' };
}

/** Not the tenant's name, so that the text is the same in every tenant. */
const formatGrants = (grants: Grants, tenant: string): string =>
  listScopes(grants, tenant)
    .map(({ kid, kind }) => (kind === 'Tenant' ? wholeTenant : kid))
    .join(' ');

/** The state of a manager with these texts. */
export const toManagerState = (texts: Readonly<Record<string, string>>, tenant: string): ManagerState => ({
  isActive: texts['state'] === 'active',
  tabs: new Set(splitWords(texts['tabs'] ?? '').filter(isTab)),
  permissions: new Set(splitWords(texts['permissions'] ?? '').filter(isPermission)),
  grants: grantsOf(splitWords(texts['grants'] ?? '').flatMap((word) => parseWord(word, tenant) ?? [])),
});
