// Writes one log line for every request, and an event of the live log. It formats the line itself and writes it to the
// logger's stream: the logger's own formatting takes as long as the routing of a request.

import { symbols, type DestinationStream, type Logger } from 'pino';
import { createIsoClock } from '../../lib/iso-clock.ts';
import type { LiveLog } from '../../lib/live-log/live-log.ts';
import type { AccessLogEntry } from './access-log-entry.ts';
import { createRequestEvent } from './request-event.ts';

/** The status in log and metrics of a request whose client went away before the response (as in nginx). */
export const clientClosedRequestStatus = 499;

export type AccessLog = (access: AccessLogEntry) => void;

/** The live log has every request, whatever the level of the log. */
export function createAccessLog(log: Logger, liveLog: LiveLog): AccessLog {
  const writeLine = createLineWriter(log);
  return (entry) => {
    liveLog.add(createRequestEvent(entry));
    writeLine?.(entry);
  };
}

function createLineWriter(log: Logger): AccessLog | undefined {
  if (!log.isLevelEnabled('info')) return undefined;
  const stream = (log as Logger & { readonly [symbols.streamSym]: DestinationStream })[symbols.streamSym];
  const time = createIsoClock();
  return ({
    requestId,
    method,
    requestTarget,
    status,
    seconds,
    traceId,
    clientIp,
    tenantHost,
    operationId,
    managerId,
    serviceId,
    problemCode,
  }) => {
    // Only path and method are free text of the client; the other values need no escaping.
    let line = `{"level":"info","time":"${time()}","requestId":"${requestId}","method":${quoteJson(method)},"path":${quoteJson(pathOf(requestTarget))},"status":${status},"ms":${Math.round(seconds * 1e6) / 1e3},"traceId":"${traceId}","clientAddress":"${clientIp}"`;
    if (tenantHost !== undefined)
      line += `,"tenant":"${tenantHost.tenant.name}","environment":"${tenantHost.environment}"`;
    if (operationId !== undefined) line += `,"operation":"${operationId}"`;
    if (managerId !== undefined) line += `,"managerId":${managerId}`;
    if (serviceId !== undefined) line += `,"serviceId":${serviceId}`;
    if (problemCode !== undefined) line += `,"code":"${problemCode}"`;
    stream.write(`${line},"msg":"request"}\n`);
  };
}

/** The path without its query, of bounded length: a query may hold what does not belong in a log. */
function pathOf(target: string): string {
  const at = target.indexOf('?');
  return target.slice(0, at < 0 || at > 512 ? 512 : at);
}

const safeTextPattern = /^[\w/.~:,;=@!$&'()*+%-]*$/;
const quoteJson = (text: string): string => (safeTextPattern.test(text) ? `"${text}"` : JSON.stringify(text));
