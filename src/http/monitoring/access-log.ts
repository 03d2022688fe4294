// Writes one log line for every request, and adds an event to a live log for requests of interest to a tenant. It
// formats the line itself and writes it to the logger's stream: the logger's own formatting takes as long as the
// routing of a request.

import { symbols, type DestinationStream, type Logger } from 'pino';
import { createIsoClock } from '../../lib/time/iso-clock.ts';
import { formatBankKid, formatComputerKid } from '../../lib/kid.ts';
import type { LiveLog } from '../../lib/live-log/live-log.ts';
import type { TenantHost } from '../context/tenancy.ts';
import type { AccessLogEntry } from './access-log-entry.ts';
import { healthPaths } from './metrics-listener.ts';
import { RequestEvent, type OperationRequest } from './request-event.ts';

/** The status in log and metrics of a request whose client went away before the response (as in nginx). */
export const clientClosedRequestStatus = 499;

export type AccessLog = (access: AccessLogEntry) => void;

type AccessLogOptions = {
  readonly log: Logger;
  readonly liveLog: LiveLog;
  readonly equipmentLiveLog: LiveLog;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** The ids of operations whose successes do not become events: there are too many of them. */
  readonly routineOperations: ReadonlySet<string>;
  /** The ids of operations whose requests wait: a success is in the log at level debug, unless its work was slow. */
  readonly longPolls: ReadonlySet<string>;
  /** The ids of the operations whose events belong to the live log of the Equipment API. */
  readonly equipmentOperations: ReadonlySet<string>;
};

/** The live logs get their events whatever the level of the log is. */
export function createAccessLog(options: AccessLogOptions): AccessLog {
  const { log, clock, routineOperations, equipmentOperations } = options;
  const writeLine = createLineWriter(log, options.longPolls);
  return (entry) => {
    const elapsedMs = Math.round(entry.seconds * 1e6) / 1e3;
    if (isOfOperation(entry) && isOfInterest(entry, routineOperations)) {
      const liveLog = equipmentOperations.has(entry.operationId) ? options.equipmentLiveLog : options.liveLog;
      liveLog.add(new RequestEvent(entry, entry.endedAt ?? clock(), elapsedMs));
    }
    writeLine?.(entry, elapsedMs);
  };
}

/** All other requests are health checks, CORS preflights, or requests of strangers. */
const isOfOperation = (entry: AccessLogEntry): entry is OperationRequest =>
  entry.tenantHost !== undefined && entry.operationId !== undefined;

/**
 * Anyone can send requests without a login or a key, as many as the limits allow: they must not displace the events of
 * all tenants. One that failed in the service is an event even so.
 */
function isOfInterest(entry: OperationRequest, routineOperations: ReadonlySet<string>): boolean {
  const { status, managerId, serviceId, computer, operationId } = entry;
  if (status >= 500) return true;
  if (managerId === undefined && serviceId === undefined && computer === undefined) return false;
  return status >= 400 || !routineOperations.has(operationId);
}

// From here on, the work of a request is slow. The waiting does not count.
const slowWorkMs = 1000;

/** Polls that succeed, and health checks of load balancers: each comes all the time. */
function isQuiet(
  { operationId, requestTarget, status, waitedMs = 0 }: AccessLogEntry,
  elapsedMs: number,
  longPolls: ReadonlySet<string>,
): boolean {
  if (status >= 400 || elapsedMs - waitedMs >= slowWorkMs) return false;
  return operationId === undefined ? healthPaths.has(pathOf(requestTarget)) : longPolls.has(operationId);
}

type WriteLine = (entry: AccessLogEntry, elapsedMs: number) => void;

function createLineWriter(log: Logger, longPolls: ReadonlySet<string>): WriteLine | undefined {
  if (!log.isLevelEnabled('info')) return undefined;
  const hasDebugLines = log.isLevelEnabled('debug');
  const stream = (log as Logger & { readonly [symbols.streamSym]: DestinationStream })[symbols.streamSym];
  const time = createIsoClock();
  const whereOf = createWhereCache();
  const loggedPathOf = createPathCache();
  const { worker } = log.bindings();
  const ofWorker = worker === undefined ? '' : `,"worker":${String(worker)}`;
  return (entry, elapsedMs) => {
    const level = isQuiet(entry, elapsedMs, longPolls) ? 'debug' : 'info';
    if (level === 'debug' && !hasDebugLines) return;
    const { requestId, method, requestTarget, status, traceId, clientIp } = entry;
    const { tenantHost, operationId, managerId, serviceId, computer, problemCode } = entry;
    // Only path and method are free text of the client; the other values need no escaping.
    let line = `{"level":"${level}","time":"${time()}"${ofWorker},"requestId":"${requestId}","method":"${escapeJson(method)}","path":"${loggedPathOf(requestTarget)}","status":${status},"ms":${elapsedMs},"traceId":"${traceId}","clientAddress":"${clientIp}${whereOf(tenantHost, operationId)}`;
    if (managerId !== undefined) line += `,"managerId":${managerId}`;
    if (serviceId !== undefined) line += `,"serviceId":${serviceId}`;
    if (computer !== undefined && tenantHost !== undefined)
      line += `,"computer":"${formatComputerKid(formatBankKid(tenantHost.tenant.name, computer.bankId), computer.computerId)}"`;
    if (problemCode !== undefined) line += `,"code":"${problemCode}"`;
    stream.write(`${line},"msg":"request"}\n`);
  };
}

const maxPaths = 1000;

/** The path as it is logged. Only targets that are logged as they are stay in memory: others may hold what is secret. */
function createPathCache(): (target: string) => string {
  const textByTarget = new Map<string, string>();
  return (target) => {
    const known = textByTarget.get(target);
    if (known !== undefined) return known;
    const path = pathOf(target);
    const text = escapeJson(path);
    if (path === target) {
      if (textByTarget.size === maxPaths) textByTarget.clear();
      textByTarget.set(target, text);
    }
    return text;
  };
}

type WhereOf = (tenantHost: TenantHost | undefined, operationId: string | undefined) => string;

/** The part of a line that names tenant, environment and operation. There are few of them, and each is built once. */
function createWhereCache(): WhereOf {
  const nowhere = new Map<string | undefined, string>();
  const byTenantHost = new Map<TenantHost, Map<string | undefined, string>>();
  return (tenantHost, operationId) => {
    const known = tenantHost === undefined ? nowhere : byTenantHost.get(tenantHost);
    const text = known?.get(operationId);
    if (text !== undefined) return text;
    const made = flatten(describeWhere(tenantHost, operationId));
    if (known !== undefined) known.set(operationId, made);
    else if (tenantHost !== undefined) byTenantHost.set(tenantHost, new Map([[operationId, made]]));
    return made;
  };
}

/** Begins with the closing quote of the value before it. */
const describeWhere: WhereOf = (tenantHost, operationId) => {
  const place =
    tenantHost === undefined ? '' : `,"tenant":"${tenantHost.tenant.name}","environment":"${tenantHost.environment}"`;
  return `"${place}${operationId === undefined ? '' : `,"operation":"${operationId}"`}`;
};

/** Returns the text in one piece: a concatenated text would be copied piece by piece at every use. */
const flatten = (text: string): string => Buffer.from(text).toString();

const maxPathLength = 512;

/**
 * What has the form of a token, of the key of a service or a computer, or a part of a key, or of an enrolment code, also
 * with percent-encoded characters: people put them into URLs by mistake (OWASP ASVS 5.0, 16.2.5). A token has 43
 * characters.
 */
const credentialPattern =
  /(?<![\w%-])[\w%-]{43,}|kt(?:_|%5f)[\w%-]*|(?:(?<![a-z])|(?<=%[\da-f]{2}))ke(?:_|%5f)[\w%-]*|(?<![\w-])(?:[2-9a-hj-np-z]{4}-){3}[2-9a-hj-np-z]{4}(?![\w-])/gi;

/** The path without its query, of bounded length: a query may contain what must not be logged. */
function pathOf(target: string): string {
  const index = target.indexOf('?');
  const path = index < 0 ? target : target.slice(0, index);
  return path.replace(credentialPattern, '[masked]').slice(0, maxPathLength);
}

const safeTextPattern = /^[\w/.~:,;=@!$&'()*+%-]*$/;
const escapeJson = (text: string): string => (safeTextPattern.test(text) ? text : JSON.stringify(text).slice(1, -1));
