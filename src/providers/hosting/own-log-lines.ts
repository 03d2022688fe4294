// Formats lines of this service's own log as plain text, wherever the lines were stored.

import { isEquipmentPath } from '../../lib/equipment-path.ts';
import type { LogReader } from './hosting.ts';

/**
 * The members of a log line in the order in which a shown line has them, after `level`, `time` and `msg`. A line shows
 * only members that are known to be neither personal nor secret: no client address, and no message or stack of an
 * error.
 */
const shownMembers = [
  'requestId',
  'method',
  'path',
  'route',
  'status',
  'ms',
  'traceId',
  'tenant',
  'environment',
  'operation',
  'managerId',
  'serviceId',
  'computer',
  'code',
  'check',
  'application',
  'source',
  'written',
  'total',
  'bytes',
  'lostLines',
  'signal',
];

/** The beginning of every line of the log. */
const lineBegin = '{"level":"';

/**
 * The line as the reader may see it; undefined if the reader may not see it. A provider's prefix before the line is
 * removed. Anything that is not a complete log line is hidden: it may be a part of one, or the stack of an error. A
 * tenant sees its own lines of the environment that the tenant asks for, and the lines of no tenant or no environment.
 */
export function showLine(line: string, reader: LogReader): string | undefined {
  const index = line.indexOf(lineBegin);
  return index < 0 ? undefined : showOwnLine(line.slice(index), reader);
}

/** The applications that this service is. */
export type OwnApplication = 'portal-api' | 'equipment-api';

/** Shows a text that begins like a line of this log; undefined also if it belongs to another application. */
export function showOwnLine(line: string, reader: LogReader, application?: OwnApplication): string | undefined {
  const members = parseLine(line);
  if (members === undefined || !isVisible(members, reader)) return undefined;
  return application === undefined || applicationOf(members) === application ? formatLine(members) : undefined;
}

/** Requests to the Equipment API belong to `equipment-api`, and everything else to `portal-api`. */
const applicationOf = ({ path, route }: Members): OwnApplication =>
  [path, route].some((each) => typeof each === 'string' && isEquipmentPath(each)) ? 'equipment-api' : 'portal-api';

type Members = Readonly<Record<string, unknown>>;

function parseLine(line: string): Members | undefined {
  try {
    return JSON.parse(line) as Members;
  } catch {
    // Every line of the log is JSON; any other text may contain anything.
    return undefined;
  }
}

/**
 * A request to no tenant is that of a stranger or a health check. The framework logs as plain text where it listens,
 * which is for the operator.
 */
const isVisible = ({ tenant, environment, method, msg }: Members, reader: LogReader): boolean =>
  tenant === undefined
    ? method === undefined && !String(msg).includes('://')
    : tenant === reader.tenant && (environment === undefined || environment === reader.environment);

function formatLine(members: Members): string {
  const { level, time, msg, err } = members;
  const shown = shownMembers.flatMap((name) => formatMember(name, members[name]));
  const { name, code } = (err ?? {}) as Members;
  const error = [...formatMember('error', name), ...formatMember('errorCode', code)];
  return [time, level, msg, ...shown, ...error].map(String).join(' ');
}

const formatMember = (name: string, value: unknown): string[] =>
  ['string', 'number', 'boolean'].includes(typeof value) ? [`${name}=${String(value)}`] : [];
