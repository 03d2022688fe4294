// The fields of managers in an import, and their spelling. Pure.

import { parseEmail, parseText, splitWords, type FieldResult } from '../../../../lib/values/field-values.ts';
import { parseKid } from '../../../../lib/kid.ts';
import { isPermission, isTab, listPermissions, permissions, tabs } from '../../../../permissions/matrix.ts';
import type { Grants, Rights } from '../../../../permissions/needs.ts';
import type { AdministeredManager } from '../../../manager-administration/queries/managers.ts';
import { listScopes } from '../../../manager-administration/rules/granted-scopes.ts';
import {
  listPlaces,
  type GrantTarget,
  type ManagerState,
} from '../../../manager-administration/rules/manager-state.ts';
import { toGrants } from '../../../managers/rules/grants.ts';
import { parseUserName } from '../../../managers/rules/user-name.ts';
import {
  activeState,
  disabledState,
  stateField,
  type FieldTable,
  type ParsedFields,
  type RowValues,
} from '../../import-kind.ts';
import { parsePersonIcon } from '../../../icons/rules/person-icons.ts';
import { keepWords, placeNames } from '../../rules/listed-places.ts';

const maxLength = 200;

const parseNames =
  (all: readonly string[], isKnown: (name: string) => boolean) =>
  (text: string): FieldResult => {
    const names = splitWords(text);
    if (names.includes('all')) return { value: all.join(' ') };
    const wrong = names.find((name) => !isKnown(name));
    return wrong === undefined
      ? { value: all.filter((name) => names.includes(name)).join(' ') }
      : { reason: `must be all, or some of ${all.join(', ')}` };
  };

function parseState(text: string): FieldResult {
  const state = text.trim() || 'disabled';
  return state === 'active' || state === 'disabled' ? { value: state } : { reason: 'must be active or disabled' };
}

const wholeTenant = 'tenant';

function parseGrants(text: string, tenant: string): FieldResult {
  const places = splitWords(text).map((word) => parseGrant(word, tenant));
  return places.every((place) => place !== undefined)
    ? { value: formatGrants(toGrants(places.map(toRow)), tenant) }
    : { reason: 'must be tenant, or banks and locations of this tenant, by keys or KIDs, separated by spaces' };
}

function parseGrant(word: string, tenant: string): GrantTarget | undefined {
  if (word === wholeTenant) return { bankId: 0, locationId: 0 };
  const kid = parseKid(word, tenant, ['tenant', 'bank', 'location']);
  if (kid === undefined) return undefined;
  if (kid.type === 'tenant') return { bankId: 0, locationId: 0 };
  return { bankId: kid.bankId, locationId: kid.type === 'location' ? kid.locationId : 0 };
}

const toRow = ({ bankId, locationId }: GrantTarget) => ({ bank_id: bankId, location_id: locationId });

/** Not the tenant's name, so that the text is the same in every tenant. */
const formatGrants = (grants: Grants, tenant: string): string =>
  listScopes(grants, tenant)
    .map(({ kid, kind }) => (kind === 'Tenant' ? wholeTenant : kid))
    .join(' ');

/** The grants of places for which `isKept` holds. */
export const filterGrants = (text: string, tenant: string, isKept: (place: GrantTarget) => boolean): string =>
  formatGrants(
    toGrants(
      splitWords(text)
        .flatMap((word) => parseGrant(word, tenant) ?? [])
        .filter(isKept)
        .map(toRow),
    ),
    tenant,
  );

type RightedManager = { readonly row: AdministeredManager; readonly rights: Rights };

export const managerFields: FieldTable<RightedManager> = {
  userName: {
    description: 'For logging in. It cannot be changed.',
    example: 'manager@example.com',
    isRequired: true,
    parse: parseUserName,
    write: ({ row }) => row.user_name,
  },
  name: {
    description: 'Up to 200 characters. Empty: the user name.',
    example: 'Example Manager',
    parse: (text) => parseText(text, maxLength),
    write: ({ row }) => row.name,
  },
  email: {
    description: 'An email address, or empty.',
    example: 'manager@example.com',
    parse: parseEmail,
    write: ({ row }) => row.email,
  },
  organisation: {
    description: 'Up to 200 characters, or empty.',
    example: 'Example Housing',
    parse: (text) => parseText(text, maxLength),
    write: ({ row }) => row.organisation,
  },
  [stateField]: {
    description:
      '`active` or `disabled`. A new manager is disabled and has no password, which is never imported: the commands `manager reset-password` and `manager activate` let them log in.',
    example: disabledState,
    parse: parseState,
    write: ({ row }) => (row.active === 1 ? activeState : disabledState),
  },
  tabs: {
    description: 'Names of Tabs, separated by spaces, or `all`.',
    example: 'Dashboard1 Users2',
    parse: parseNames(tabs, isTab),
    write: ({ rights }) => tabs.filter((tab) => rights.tabs.has(tab)).join(' '),
  },
  permissions: {
    description:
      'Permissions, separated by spaces, or `all`. Nobody can give or take a Tab or a permission without holding it.',
    example: 'Bank.Read User.Read',
    parse: parseNames(permissions, isPermission),
    write: ({ rights }) => listPermissions(rights.permissions).join(' '),
  },
  grants: {
    description: `\`tenant\`, or banks and locations, separated by spaces. ${placeNames}`,
    example: '',
    parsePlaces: (text, { tenant }) => parseGrants(text, tenant.name),
    parse: keepWords,
    write: ({ rights }, { tenant }) => formatGrants(rights.grants, tenant.name),
  },
  icon: {
    description: 'Name of an icon of a person. Empty: person.',
    example: 'person',
    parse: parsePersonIcon,
    write: ({ row }) => row.person_icon,
  },
};

/** Whoever has no name is called by the user name. */
export function nameByUserName(parsed: ParsedFields): ParsedFields {
  const { userName = '', name } = parsed.values;
  return name === '' && userName !== '' ? { ...parsed, values: { ...parsed.values, name: userName } } : parsed;
}

/** `values` has all fields. */
export const toManagerState = (values: RowValues, tenant: string): ManagerState => ({
  isActive: values['state'] === 'active',
  tabs: new Set(splitWords(values['tabs'] ?? '').filter(isTab)),
  permissions: new Set(splitWords(values['permissions'] ?? '').filter(isPermission)),
  grants: toGrants(
    splitWords(values['grants'] ?? '')
      .flatMap((word) => parseGrant(word, tenant) ?? [])
      .map(toRow),
  ),
});

/** Banks and locations that a text of grants names, but for the whole tenant. */
export const listPlacesOfGrants = (values: RowValues, tenant: string): GrantTarget[] =>
  listPlaces(toManagerState(values, tenant).grants).filter(({ bankId }) => bankId !== 0);
