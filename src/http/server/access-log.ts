// One line of the log for every request. It is spelled here, and not by the logger, whose general way takes as long as
// the request's routing; it goes where the logger's lines go.

import { symbols, type DestinationStream, type Logger } from 'pino';
import type { ProblemCode } from '../../lib/problem.ts';
import { createIsoClock } from '../../lib/iso-clock.ts';
import type { TenantHost } from '../context/tenancy.ts';

/** What log and metrics say of a client that went away before it was answered (nginx's number for it). */
export const clientClosedRequestStatus = 499;

export type AccessLogEntry = {
  readonly requestId: string;
  readonly method: string;
  /** The request target as it came in. */
  readonly requestTarget: string;
  readonly status: number;
  readonly seconds: number;
  readonly traceId: string;
  readonly tenantHost: TenantHost | undefined;
  readonly operationId: string | undefined;
  readonly managerId: number | undefined;
  readonly problemCode: ProblemCode | undefined;
};

export type AccessLog = (access: AccessLogEntry) => void;

export function createAccessLog(log: Logger): AccessLog {
  if (!log.isLevelEnabled('info')) return () => {};
  const stream = (log as Logger & { readonly [symbols.streamSym]: DestinationStream })[symbols.streamSym];
  const time = createIsoClock();
  return ({
    requestId,
    method,
    requestTarget,
    status,
    seconds,
    traceId,
    tenantHost,
    operationId,
    managerId,
    problemCode,
  }) => {
    // Only path and method are the client's own words; the others' alphabets need no escaping.
    let line = `{"level":"info","time":"${time()}","requestId":"${requestId}","method":${quoteJson(method)},"path":${quoteJson(pathOf(requestTarget))},"status":${status},"ms":${Math.round(seconds * 1e6) / 1e3},"traceId":"${traceId}"`;
    if (tenantHost !== undefined)
      line += `,"tenant":"${tenantHost.tenant.name}","environment":"${tenantHost.environment}"`;
    if (operationId !== undefined) line += `,"operation":"${operationId}"`;
    if (managerId !== undefined) line += `,"managerId":${managerId}`;
    if (problemCode !== undefined) line += `,"code":"${problemCode}"`;
    stream.write(`${line},"msg":"request"}\n`);
  };
}

/** The path without its query, bounded: a log line is no place for what a client chose to put there. */
function pathOf(target: string): string {
  const at = target.indexOf('?');
  return target.slice(0, at < 0 || at > 512 ? 512 : at);
}

const safeTextPattern = /^[\w/.~:,;=@!$&'()*+%-]*$/;
const quoteJson = (text: string): string => (safeTextPattern.test(text) ? `"${text}"` : JSON.stringify(text));
