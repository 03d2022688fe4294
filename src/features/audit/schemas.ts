// The wire shapes of the audit log, and their formatting.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable } from '../../http/named-schemas.ts';
import { closedObject, environmentSchema, instant, int32, kidInput } from '../../http/schema-types.ts';
import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import type { ListedAuditEntry } from './queries/audit-page.ts';
import type { AuditActor } from './rules/audit-actor.ts';
import type { RecordedValues } from './rules/recorded-values.ts';

const time = (description: string) =>
  Type.Optional(Type.String({ maxLength: 64, description, examples: ['2026-06-15T06:00:00+02:00'] }));

const objectKid = kidInput(
  'tenant',
  'bank',
  'location',
  'unit',
  'user',
  'posting',
  'event',
  'document',
  'manager',
  'installer',
  'service',
);

export const AuditLogQuery = closedObject({
  managerKid: Type.Optional(kidInput('manager')),
  operation: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Id of an operation, or name of a command, exactly as it is spelled.',
      examples: ['SetUnitSetting'],
    }),
  ),
  object: Type.Optional(objectKid),
  from: time('Inclusive ISO 8601 time with a UTC offset.'),
  through: time('Inclusive ISO 8601 time with a UTC offset.'),
  limit: int32({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items to return.' }),
  cursor: Type.Optional(
    Type.String({ maxLength: 128, description: '`nextCursor` of the page before; the filters have to be the same.' }),
  ),
});

const AuditActorSchema = namedObject('AuditActor', {
  kind: namedEnum(
    'AuditActorKind',
    ['manager', 'service', 'operator'],
    'manager: a person with a session; service: a service identity; operator: whoever ran a command of the service.',
  ),
  kid: nullable(Type.String({ description: 'KID of the manager or service; null for an operator.' })),
  name: nullable(Type.String({ description: 'Present name of the manager; null for others.' })),
});

const recordedValues = (description: string) =>
  nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `${description} Secrets and personal data are \`changed\` in place of their value.`,
    }),
  );

const AuditEntry = namedObject('AuditEntry', {
  id: Type.String({
    description: 'Number of the bank (0: none), and of the entry in its chain.',
    examples: ['1001-42'],
  }),
  atUtc: instant('When the request came in, or the command ran.'),
  actor: AuditActorSchema,
  address: nullable(
    Type.String({ description: 'Address of the client, of IPv6 its /64 network; null for an operator.' }),
  ),
  operation: Type.String({ description: 'Id of the operation, or name of the command.' }),
  object: Type.String({ description: 'KID of what was changed or exported.' }),
  before: recordedValues('The fields that changed, as they were; null where there was nothing, or nothing changed.'),
  after: recordedValues('The fields that changed, as they are, or what was exported; null where nothing changed.'),
  requestId: nullable(Type.String({ description: 'X-Request-Id of the request; null for an operator.' })),
  environment: nullable(environmentSchema),
});

export const AuditLogAnswer = namedObject('AuditLog', {
  items: Type.Array(AuditEntry, { description: 'Newest first.' }),
  nextCursor: nullable(Type.String({ description: '`cursor` of the next page; null if this is the last one.' })),
});
export type AuditLogAnswer = Static<typeof AuditLogAnswer>;

export function toAuditItem(entry: ListedAuditEntry, tenant: string): AuditLogAnswer['items'][number] {
  const { actor_kind, actor_id: id, manager_name: name } = entry;
  const kind = actor_kind as AuditActor['kind'];
  return {
    id: `${entry.chain}-${entry.sequence}`,
    atUtc: formatUtc(entry.at),
    actor: { kind, kid: id === null ? null : formatActorKid(tenant, kind, id), name },
    address: entry.address,
    operation: entry.operation,
    object: entry.object,
    before: parseValues(entry.old_values),
    after: parseValues(entry.new_values),
    requestId: entry.request_id,
    environment: entry.environment as AuditActor['environment'],
  };
}

const formatActorKid = (tenant: string, kind: AuditActor['kind'], id: number): string =>
  kind === 'service'
    ? formatKid({ type: 'service', tenant, serviceId: id })
    : formatKid({ type: 'manager', tenant, managerId: id });

const parseValues = (text: string | null): RecordedValues | null =>
  text === null ? null : (JSON.parse(text) as RecordedValues);
