// The shapes of live logs.

import { Type, type Static } from 'typebox';
import { nameKeyword, namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import { instant, kidOutput } from '../../http/schemas/schema-types.ts';
import { liveLogLevels } from '../../lib/live-log/live-log.ts';
import { LoggedApplication } from '../hosting/schemas.ts';

/** The interval after which clients poll again. */
export const liveLogsRefreshAfterSeconds = 3;

const optionalWhole = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

const LiveLogEvent = namedObject('LiveLogEvent', {
  timestamp: instant('When it was logged.'),
  level: namedEnum('LiveLogLevel', liveLogLevels, 'How serious the event is.'),
  messageTemplate: Type.String({
    description:
      'Constant text with placeholders in braces. A placeholder without a value in `fields` is not replaced.',
    examples: ['{method} {operation} ended with {statusCode} after {elapsedMilliseconds} ms'],
  }),
  category: Type.String({ description: 'The part of the program that logged the event.', examples: ['request'] }),
  statusCode: optionalWhole('Status of the response that the event is about.'),
  elapsedMilliseconds: Type.Optional(
    Type.Number({ minimum: 0, description: 'Duration of the request or task that the event is about.' }),
  ),
  bankId: optionalWhole('Number of a bank, for diagnosis. No operation accepts it instead of a KID.'),
  userIds: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      description: 'Numbers of residents, for diagnosis. No operation accepts them instead of KIDs.',
    }),
  ),
  traceId: Type.Optional(Type.String({ description: 'Trace of the request (W3C Trace Context).' })),
  question: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'The question in a chat, only in events of chats. It is plain text and must be shown as such.',
    }),
  ),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Values of placeholders. Characters with a meaning in HTML are character references.',
      examples: [{ method: 'GET', operation: 'GetBankIcons' }],
      [nameKeyword]: 'LiveLogFields',
    }),
  ),
});

const errorCodes = ['live-logs-not-configured', 'live-logs-unavailable'] as const;
export type LiveLogErrorCode = (typeof errorCodes)[number];

const LiveLogCard = namedObject('LiveLogCard', {
  server: useOf(LoggedApplication, {
    description:
      'portal-api: this process; equipment-api: what computers talk to, in this process or in another program; portal-web: the pages of the portal.',
  }),
  errorCode: nullable(
    namedEnum(
      'LiveLogErrorCode',
      errorCodes,
      'Null if the events could be read. live-logs-not-configured: it is not known where the program shows them. live-logs-unavailable: it did not show them.',
    ),
  ),
  events: Type.Array(LiveLogEvent, { description: 'Newest first.', maxItems: 100 }),
});

export const LiveLogs = namedObject('LiveLogs', {
  tenantKid: kidOutput('tenant'),
  fetchedAtUtc: instant('Time of this response.'),
  refreshAfterSeconds: Type.Integer({
    description: 'How many seconds a client must wait before it asks again.',
    examples: [liveLogsRefreshAfterSeconds],
  }),
  servers: Type.Array(LiveLogCard, { description: 'Always portal-api, equipment-api and portal-web.' }),
});

export type LiveLogs = Static<typeof LiveLogs>;
export type LiveLogCard = Static<typeof LiveLogCard>;
