// The schemas of the audit log.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { cursor, nextCursor } from '../../http/schemas/list-schemas.ts';
import { closedObject, Environment, instant, int32, kidInput, timeInput } from '../../http/schemas/schema-types.ts';
import { kidTypes } from '../../lib/kid.ts';

export const AuditLogQuery = closedObject({
  managerKid: Type.Optional(kidInput('manager')),
  operation: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Id of an operation, or name of a command, in the exact spelling.',
      examples: ['SetUnitSetting'],
    }),
  ),
  object: Type.Optional(kidInput(...kidTypes)),
  from: Type.Optional(timeInput('Inclusive ISO 8601 time with a UTC offset.')),
  through: Type.Optional(timeInput('Inclusive ISO 8601 time with a UTC offset.')),
  limit: int32({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items to return.' }),
  cursor,
});

const AuditActor = namedObject('AuditActor', {
  kind: namedEnum(
    'AuditActorKind',
    ['manager', 'service', 'computer', 'operator'],
    'manager: a person with a session; service: a service identity; computer: the gateway of a laundry; operator: whoever ran a command of the service.',
  ),
  kid: nullable(Type.String({ description: 'KID of the manager, the service or the computer; null for an operator.' })),
  name: nullable(Type.String({ description: 'Present name of the manager; null for others.' })),
});

const recordedValues = (description: string) =>
  nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `${description} Secrets and personal data are \`changed\` instead of their value.`,
    }),
  );

const AuditEntry = namedObject('AuditEntry', {
  id: Type.String({
    description: 'Number of the bank (0: none), and number of the entry in its chain.',
    examples: ['1001-42'],
  }),
  atUtc: instant('When the request was received or the command ran.'),
  actor: AuditActor,
  address: nullable(
    Type.String({ description: 'Address of the client, for IPv6 its /64 network; null for an operator.' }),
  ),
  operation: Type.String({ description: 'Id of the operation, or name of the command.' }),
  object: Type.String({ description: 'KID of what was changed or exported.' }),
  before: recordedValues('The fields that changed, as they were; null where there was nothing, or nothing changed.'),
  after: recordedValues('The fields that changed, as they are, or what was exported; null where nothing changed.'),
  requestId: nullable(Type.String({ description: 'X-Request-Id of the request; null for an operator.' })),
  environment: nullable(Environment),
});

export const AuditLog = namedObject('AuditLog', {
  items: Type.Array(AuditEntry, { description: 'Newest first.' }),
  nextCursor,
});
export type AuditLog = Static<typeof AuditLog>;
