// The schemas of the operations on services.

import { Type, type Static } from 'typebox';
import { namedBody, namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import { SortDirection } from '../../http/schemas/list-schemas.ts';
import { closedObject, expectedRevision, instant, kidInput, kidOutput } from '../../http/schemas/schema-types.ts';
import { apiKeyPattern } from './rules/api-key.ts';
import { serviceIdentities } from './rules/service-catalogue.ts';
import { maxProfileFieldLength, serviceProfileFields } from './rules/profile-fields.ts';

export const ServicesQuery = closedObject({
  filter: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Text that the identity or the name contains; case-insensitive, without wildcards.',
    }),
  ),
  sort: useOf(namedEnum('ServiceSort', ['identity', 'name'], 'identity: by its number.'), { default: 'identity' }),
  direction: useOf(SortDirection, { default: 'asc' }),
});

export const ServiceParams = closedObject({ serviceKid: kidInput('service') });

export const ServiceFieldParams = closedObject({
  serviceKid: kidInput('service'),
  field: namedEnum(
    'ServiceProfileField',
    serviceProfileFields,
    'Name: at most 200 characters; Icon: one of `availableIcons`.',
  ),
});

export const ServiceProfileChange = namedBody('ServiceProfileChange', {
  value: Type.String({ maxLength: maxProfileFieldLength, description: 'The new value, without control characters.' }),
  expectedRevision,
});

const Service = namedObject('Service', {
  kid: kidOutput('service'),
  identity: namedEnum('ServiceIdentity', serviceIdentities, 'Which service it is.'),
  name: Type.String(),
  iconKid: Type.String({ description: 'KID of the icon image.' }),
  iconName: Type.String({ description: 'Name of the icon.' }),
});
export type Service = Static<typeof Service>;

export const ServiceList = namedObject('ServiceList', {
  items: Type.Array(Service),
  nextCursor: Type.Null({ description: 'Always null: all services are in one response.' }),
});

const ServiceReadAccess = namedObject('ServiceReadAccess', {
  operations: Type.Array(Type.String(), { description: 'Ids of the operations that the API key may call, sorted.' }),
  grantedByKid: nullable(
    kidOutput(
      'manager',
      'Who granted them: the key can do no more than this manager and the one who made it; null if nothing is granted.',
    ),
  ),
  grantedAtUtc: nullable(instant('When they were granted; null if nothing is.')),
  lastUsedUtc: nullable(instant('When a key of the service was last used, to within a minute; null if never.')),
});
export type ServiceReadAccess = Static<typeof ServiceReadAccess>;

export const ServiceReadAccessChange = namedBody('ServiceReadAccessChange', {
  operations: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 100,
    uniqueItems: true,
    description:
      'Ids of operations that take a service key (`ServiceKey` in their `security`); an empty list withdraws all.',
  }),
  expectedRevision,
});

export const ServiceDetail = namedObject('ServiceDetail', {
  service: Service,
  hasApiKeyHash: Type.Boolean({ description: 'Whether the service has an API key.' }),
  apiKeyHash: nullable(
    Type.String({
      description: 'Hash of the API key (Argon2id, as a PHC string); null unless canEdit. Keep it secret.',
    }),
  ),
  apiKeyMadeByKid: nullable(
    kidOutput('manager', 'Who made the API key: the key can do no more than this manager; null without a key.'),
  ),
  apiKeyMadeAtUtc: nullable(instant('When the API key was made; null without a key.')),
  canEdit: Type.Boolean({ description: 'Whether the manager can write the service.' }),
  profileRevision: Type.String({ description: 'Revision of the service, for `expectedRevision`.' }),
  availableIcons: Type.Array(Type.String(), {
    description: 'Names of the icons that can be chosen, and the present one even if it cannot be chosen any more.',
  }),
  readAccess: ServiceReadAccess,
});
export type ServiceDetail = Static<typeof ServiceDetail>;

export const ServiceApiKey = namedObject('ServiceApiKey', {
  apiKey: Type.String({
    pattern: `^${apiKeyPattern}$`,
    description: 'The key. It is not stored, and never shown again.',
  }),
  service: ServiceDetail,
});
export type ServiceApiKey = Static<typeof ServiceApiKey>;
