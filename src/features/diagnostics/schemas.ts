// The shapes of live logs.

import { Type, type Static } from 'typebox';
import { nameKeyword, namedEnum, namedObject, nullable, useOf } from '../../http/named-schemas.ts';
import { instant, kidOutput } from '../../http/schema-types.ts';
import { liveLogLevels, type LiveLogEvent } from '../../lib/live-log/live-log.ts';
import { formatUtc, toMs2000 } from '../../lib/ms2000.ts';
import { loggedApplication } from '../hosting/schemas.ts';

/** How soon it is worth asking again. */
export const refreshAfterSeconds = 3;

const optionalWhole = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

const LiveLogEventShape = namedObject('LiveLogEvent', {
  timestamp: instant('When it was logged.'),
  level: namedEnum('LiveLogLevel', liveLogLevels, 'How serious the event is.'),
  messageTemplate: Type.String({
    description:
      'Constant text with placeholders in braces. A placeholder that `fields` does not have was left out, and stays as it is.',
    examples: ['{method} {operation} ended with {statusCode} after {elapsedMilliseconds} ms'],
  }),
  category: Type.String({ description: 'The part of the program that the event is of.', examples: ['request'] }),
  statusCode: optionalWhole('Status of the answer that the event is of.'),
  elapsedMilliseconds: Type.Optional(
    Type.Number({ minimum: 0, description: 'How long what the event is of has taken.' }),
  ),
  bankId: optionalWhole('Number of a bank, for diagnosis: no operation takes it in place of a KID.'),
  userIds: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      description: 'Numbers of residents, for diagnosis: no operation takes them in place of KIDs.',
    }),
  ),
  traceId: Type.Optional(Type.String({ description: 'Trace of the request (W3C Trace Context).' })),
  question: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'What was asked in a chat; of events of chats alone. Plain text, to be shown as such.',
    }),
  ),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'Values of placeholders, in which the characters that HTML gives a meaning are character references.',
      examples: [{ method: 'GET', operation: 'GetBankIcons' }],
      [nameKeyword]: 'LiveLogFields',
    }),
  ),
});

const errorCodes = ['live-logs-not-configured', 'live-logs-unavailable'] as const;
type LiveLogErrorCode = (typeof errorCodes)[number];

const LiveLogCardShape = namedObject('LiveLogCard', {
  server: useOf(loggedApplication, {
    description:
      'portal-api: this process; equipment-api: what equipment talks to; portal-web: the pages of the portal.',
  }),
  errorCode: nullable(
    namedEnum(
      'LiveLogErrorCode',
      errorCodes,
      'Null if the events could be read. live-logs-not-configured: it is not known where the program shows them. live-logs-unavailable: it did not show them.',
    ),
  ),
  events: Type.Array(LiveLogEventShape, { description: 'The newest first.', maxItems: 100 }),
});

export const LiveLogs = namedObject('LiveLogs', {
  tenantKid: kidOutput('tenant'),
  fetchedAtUtc: instant('Time of this response.'),
  refreshAfterSeconds: Type.Integer({
    description: 'How many seconds a client has to wait before it asks again.',
    examples: [refreshAfterSeconds],
  }),
  servers: Type.Array(LiveLogCardShape, { description: 'Always portal-api, equipment-api and portal-web.' }),
});

export type LiveLogsAnswer = Static<typeof LiveLogs>;
export type LiveLogCard = Static<typeof LiveLogCardShape>;

export const toCard = (
  server: LiveLogCard['server'],
  errorCode: LiveLogErrorCode | null,
  events: readonly LiveLogEvent[] = [],
): LiveLogCard => ({ server, errorCode, events: events.map(toEvent) });

/** Members without a value are left out of the JSON. */
function toEvent(event: LiveLogEvent): LiveLogCard['events'][number] {
  const { at, level, messageTemplate, category, statusCode, elapsedMilliseconds, bankId, userIds } = event;
  const { traceId, question, fields } = event;
  return {
    timestamp: formatUtc(toMs2000(at)),
    level,
    messageTemplate,
    category,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(elapsedMilliseconds === undefined ? {} : { elapsedMilliseconds }),
    ...(bankId === undefined ? {} : { bankId }),
    ...(userIds === undefined ? {} : { userIds: [...userIds] }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(question === undefined ? {} : { question }),
    ...(fields === undefined ? {} : { fields: { ...fields } }),
  };
}
