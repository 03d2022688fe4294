// Makes the event of the live log that stands for a request: neither its path nor its client, only what the service knows.

import type { NewLiveLogEvent } from '../../lib/live-log/live-log.ts';
import type { AccessLogEntry } from './access-log-entry.ts';

const messageTemplate = '{method} {operation} ended with {statusCode} after {elapsedMilliseconds} ms';

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createRequestEvent(entry: AccessLogEntry): NewLiveLogEvent {
  const { method, status, seconds, endedAt, traceId, tenantHost, operationId } = entry;
  const elapsedMilliseconds = Math.round(seconds * 1e6) / 1e3;
  const fields: Record<string, string> = {
    statusCode: String(status),
    elapsedMilliseconds: String(elapsedMilliseconds),
  };
  if (knownMethods.has(method)) fields['method'] = method;
  if (operationId !== undefined) fields['operation'] = operationId;
  return {
    at: endedAt,
    tenant: tenantHost?.tenant.name,
    level: 'Information',
    messageTemplate,
    category: 'request',
    statusCode: status,
    elapsedMilliseconds,
    traceId,
    fields,
    ...findIds(entry),
  };
}

const bankPattern = /\/[a-z][a-z\d]*-B([1-9]\d{0,9})(?=[-/?]|$)/;
const userPattern = /\/[a-z][a-z\d]*-B\d{1,10}-R(\d{1,5})(?=[/?]|$)/;

/** The bank and the resident whom the path of a manager's request names by KIDs: it was no failure, so both exist. */
function findIds({ requestTarget, managerId, status }: AccessLogEntry): Pick<NewLiveLogEvent, 'bankId' | 'userIds'> {
  const bankId = managerId === undefined || status >= 400 ? undefined : bankPattern.exec(requestTarget)?.[1];
  if (bankId === undefined) return {};
  const userId = userPattern.exec(requestTarget)?.[1];
  return { bankId: Number(bankId), ...(userId === undefined ? {} : { userIds: [Number(userId)] }) };
}
