// One line of the log for every request. It is spelled here, and not by the logger, whose general way takes as long as
// the request's routing; it goes where the logger's lines go.

import { symbols, type DestinationStream, type Logger } from 'pino';
import type { ProblemCode } from '../lib/problem.ts';
import { isoTime } from '../lib/iso-time.ts';
import type { Place } from './tenancy.ts';

/** What log and metrics say of a client that went away before it was answered (nginx's number for it). */
export const clientGone = 499;

export type Access = {
  readonly requestId: string;
  readonly method: string;
  /** The request target as it came in. */
  readonly target: string;
  readonly status: number;
  readonly seconds: number;
  readonly traceId: string;
  readonly place: Place | undefined;
  readonly operationId: string | undefined;
  readonly managerId: number | undefined;
  readonly code: ProblemCode | undefined;
};

export type AccessLog = (access: Access) => void;

export function accessLog(log: Logger): AccessLog {
  if (!log.isLevelEnabled('info')) return () => {};
  const stream = (log as Logger & { readonly [symbols.streamSym]: DestinationStream })[symbols.streamSym];
  const time = isoTime();
  return ({ requestId, method, target, status, seconds, traceId, place, operationId, managerId, code }) => {
    // Only path and method are the client's own words; the others' alphabets need no escaping.
    let line = `{"level":"info","time":"${time()}","requestId":"${requestId}","method":${quoted(method)},"path":${quoted(pathOf(target))},"status":${status},"ms":${Math.round(seconds * 1e6) / 1e3},"traceId":"${traceId}"`;
    if (place !== undefined) line += `,"tenant":"${place.tenant.name}","environment":"${place.environment}"`;
    if (operationId !== undefined) line += `,"operation":"${operationId}"`;
    if (managerId !== undefined) line += `,"managerId":${managerId}`;
    if (code !== undefined) line += `,"code":"${code}"`;
    stream.write(`${line},"msg":"request"}\n`);
  };
}

/** The path without its query, bounded: a log line is no place for what a client chose to put there. */
function pathOf(target: string): string {
  const at = target.indexOf('?');
  return target.slice(0, at < 0 || at > 512 ? 512 : at);
}

const plain = /^[\w/.~:,;=@!$&'()*+%-]*$/;
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));
