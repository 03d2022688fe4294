// The schemas of the operations on services, and rows -> shapes.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable, useOf } from '../../http/named-schemas.ts';
import { sortDirection } from '../../http/list-schemas.ts';
import { closedObject, expectedRevision, instant, kidInput, kidOutput } from '../../http/schema-types.ts';
import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import type { GrantedService } from './granted-service.ts';
import type { ServiceDetailRow, ServiceRow } from './queries/services.ts';
import { apiKeyPattern } from './rules/api-key.ts';
import { serviceIdentities, type ServiceIdentity } from './rules/catalogue.ts';
import { maxNameLength, profileFields } from './rules/profile-fields.ts';
import { parseOperations } from './rules/read-access.ts';
import { listAvailableIcons, showIcon } from './rules/service-icons.ts';

export const ServicesQuery = closedObject({
  filter: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Text that identity or name contains; case-insensitive, and no character stands for another one.',
    }),
  ),
  sort: useOf(namedEnum('ServiceSort', ['identity', 'name'], 'identity: by its number.'), { default: 'identity' }),
  direction: useOf(sortDirection, { default: 'asc' }),
});

export const ServiceParams = closedObject({ serviceKid: kidInput('service') });

export const ServiceFieldParams = closedObject({
  serviceKid: kidInput('service'),
  field: namedEnum(
    'ServiceProfileField',
    profileFields,
    'Name: at most 200 characters; Icon: one of `availableIcons`.',
  ),
});

export const ServiceFieldBody = namedObject('ServiceProfileChange', {
  value: Type.String({ maxLength: maxNameLength, description: 'The new value, without control characters.' }),
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

export const ServicesAnswer = namedObject('ServiceList', {
  items: Type.Array(Service),
  nextCursor: Type.Null({ description: 'Always null: all services are in one response.' }),
});

const ReadAccess = namedObject('ServiceReadAccess', {
  operations: Type.Array(Type.String(), { description: 'Ids of the operations that the API key may call, sorted.' }),
  grantedByKid: nullable(
    kidOutput('manager', 'Who granted them: the key can do no more than this manager; null if nothing is granted.'),
  ),
  grantedAtUtc: nullable(instant('When they were granted; null if nothing is.')),
  lastUsedUtc: nullable(instant('When a key of the service was last used, to within a minute; null if never.')),
});

export const ReadAccessBody = namedObject('ServiceReadAccessChange', {
  operations: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 100,
    uniqueItems: true,
    description: 'Ids of operations that take a service key (`ServiceKey` in their `security`); none withdraws all.',
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
  canEdit: Type.Boolean({ description: 'Whether the manager can write the service.' }),
  profileRevision: Type.String({ description: 'Revision of the service, for `expectedRevision`.' }),
  availableIcons: Type.Array(Type.String(), {
    description: 'Names of the icons that can be chosen, and the present one where it cannot be chosen any more.',
  }),
  readAccess: ReadAccess,
});
export type ServiceDetail = Static<typeof ServiceDetail>;

export const ApiKeyAnswer = namedObject('ServiceApiKey', {
  apiKey: Type.String({
    pattern: `^${apiKeyPattern}$`,
    description: 'The key. It is not stored, and never shown again.',
  }),
  service: ServiceDetail,
});
export type ApiKeyAnswer = Static<typeof ApiKeyAnswer>;

type ServiceOfTenant = Pick<GrantedService, 'tenant' | 'serviceId' | 'identity'>;

export const toServiceItem = (
  {
    tenant,
    serviceId,
    identity,
  }: { readonly tenant: string; readonly serviceId: number; readonly identity: ServiceIdentity },
  { name, icon }: ServiceRow,
  dayOfMonth: number,
): Service => ({
  kid: formatKid({ type: 'service', tenant, serviceId }),
  identity,
  name,
  ...showIcon(icon, dayOfMonth),
});

export type ServiceView = { readonly canEdit: boolean; readonly dayOfMonth: number };

export const toServiceDetail = (
  service: ServiceOfTenant,
  row: ServiceDetailRow,
  { canEdit, dayOfMonth }: ServiceView,
): ServiceDetail => ({
  service: toServiceItem(service, row, dayOfMonth),
  hasApiKeyHash: row.api_key_hash !== null,
  apiKeyHash: canEdit ? row.api_key_hash : null,
  canEdit,
  profileRevision: String(row.revision),
  availableIcons: [...listAvailableIcons(row.icon)],
  readAccess: toReadAccess(service, row),
});

const toReadAccess = ({ tenant }: ServiceOfTenant, row: ServiceDetailRow): Static<typeof ReadAccess> => ({
  operations: parseOperations(row),
  grantedByKid:
    row.access_granted_by === null ? null : formatKid({ type: 'manager', tenant, managerId: row.access_granted_by }),
  grantedAtUtc: row.access_granted_at === null ? null : formatUtc(row.access_granted_at),
  lastUsedUtc: row.last_used_at === null ? null : formatUtc(row.last_used_at),
});
