// Formats rows of services.

import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { GrantedService } from './require-service.ts';
import type { ServiceDetailRow, ServiceRow } from './queries/services.ts';
import { parseOperations } from './rules/read-access.ts';
import { listAvailableIcons, showIcon } from './rules/service-icons.ts';
import type { ServiceDetail, Service, ServiceReadAccess } from './schemas.ts';

type ServiceOfTenant = Pick<GrantedService, 'tenant' | 'serviceId' | 'identity'>;

export const toService = (
  { tenant, serviceId, identity }: ServiceOfTenant,
  { name, icon }: ServiceRow,
  dayOfMonth: number,
): Service => ({
  kid: formatKid({ type: 'service', tenant, serviceId }),
  identity,
  name,
  ...showIcon(icon, dayOfMonth),
});

export const toServiceDetail = (
  service: ServiceOfTenant,
  row: ServiceDetailRow,
  { canEdit, dayOfMonth }: { readonly canEdit: boolean; readonly dayOfMonth: number },
): ServiceDetail => ({
  service: toService(service, row, dayOfMonth),
  hasApiKeyHash: row.api_key_hash !== null,
  apiKeyHash: canEdit ? row.api_key_hash : null,
  apiKeyMadeByKid: formatManagerKid(service, row.api_key_made_by),
  apiKeyMadeAtUtc: row.api_key_made_at === null ? null : formatUtc(row.api_key_made_at),
  canEdit,
  profileRevision: String(row.revision),
  availableIcons: [...listAvailableIcons(row.icon)],
  readAccess: toServiceReadAccess(service, row),
});

const toServiceReadAccess = (service: ServiceOfTenant, row: ServiceDetailRow): ServiceReadAccess => ({
  operations: parseOperations(row),
  grantedByKid: formatManagerKid(service, row.access_granted_by),
  grantedAtUtc: row.access_granted_at === null ? null : formatUtc(row.access_granted_at),
  lastUsedUtc: row.last_used_at === null ? null : formatUtc(row.last_used_at),
});

const formatManagerKid = ({ tenant }: ServiceOfTenant, managerId: number | null): string | null =>
  managerId === null ? null : formatKid({ type: 'manager', tenant, managerId });
