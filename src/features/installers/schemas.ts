// The schemas of the operations on installers.

import { Type, type Static } from 'typebox';
import { listResponse, namedSortQuery, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { namedBody, namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import { closedObject, expectedRevision, instant, kidInput, kidOutput } from '../../http/schemas/schema-types.ts';
import { membersOf } from '../../lib/values/fields.ts';
import { installerFields, stateText } from './fields.ts';
import { installerStates } from './rules/installer-states.ts';

const searched =
  'name, email, phone, organisation, tags and id: each word of the filter has to be the beginning of one of theirs; accents do not count';

export const InstallersQuery = closedObject({
  state: useOf(namedEnum('InstallerSelection', [...installerStates, 'all'], stateText), { default: 'all' }),
  tag: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'A tag that they have; case and accents do not count.' }),
  ),
  ...namedSortQuery('InstallerSort', ['name', 'kid', 'lastActivity'], searched),
  ...paginationQuery,
});

export const InstallerParams = closedObject({ installerKid: kidInput('installer') });

export const InstallerIconChange = namedBody('InstallerIconChange', {
  icon: Type.String({ maxLength: 64, description: 'One of `availablePersonIcons`.', examples: ['person'] }),
  expectedRevision,
});

const listed = membersOf(installerFields, ['name', 'email', 'locations', 'tags', 'state'], 'output');
const detailed = membersOf(installerFields, ['phone', 'organisation'], 'output');

const Installer = namedObject('Installer', {
  kid: kidOutput('installer'),
  ...listed,
  iconKid: installerFields.icon.output,
  lastActivityUtc: nullable(instant('When the installer last did something; null if never.')),
});
export type Installer = Static<typeof Installer>;

export const InstallerPage = listResponse('InstallerPage', Installer);

export const InstallerDetail = namedObject('InstallerDetail', {
  installer: Installer,
  ...detailed,
  availablePersonIcons: Type.Array(Type.String(), { description: 'Names of the icons that can be chosen.' }),
  iconRevision: Type.String({ description: 'Revision of the icon, for `expectedRevision`.' }),
  canEdit: Type.Boolean({ description: 'Whether the manager can choose the icon.' }),
});
export type InstallerDetail = Static<typeof InstallerDetail>;
