// Lines of this service's own log as plain text, wherever they were kept. A tenant sees its own lines and those of no
// tenant. Of a line only members are shown that are known to be neither personal nor secret: no client address, no message
// or stack of an error.

/** In the order in which a line shows them; `level`, `time` and `msg` come first. */
const shownMembers = [
  'requestId',
  'method',
  'path',
  'status',
  'ms',
  'traceId',
  'tenant',
  'environment',
  'operation',
  'managerId',
  'serviceId',
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

/** How every line of the log begins. */
const lineBegin = '{"level":"';

/**
 * A line as a tenant may see it; undefined: not at all. What a provider puts in front of a line is left out. So is what is
 * no whole line of this log: it may be a part of one, or the stack of an error.
 */
export function showLine(line: string, tenant: string): string | undefined {
  const at = line.indexOf(lineBegin);
  return at < 0 ? undefined : showOwnLine(line.slice(at), tenant);
}

/** The same for what can only be a line of this log. */
export function showOwnLine(line: string, tenant: string): string | undefined {
  const members = parseLine(line);
  return members === undefined || !isVisible(members, tenant) ? undefined : formatLine(members);
}

type Members = Readonly<Record<string, unknown>>;

function parseLine(line: string): Members | undefined {
  try {
    return JSON.parse(line) as Members;
  } catch {
    // Every line is one of JSON; another one may hold anything.
    return undefined;
  }
}

/**
 * A request to no tenant is that of a stranger, or asks whether the service is well. The framework says in a text where it
 * listens, which is for the operator.
 */
const isVisible = ({ tenant: ofLine, method, msg }: Members, tenant: string): boolean =>
  ofLine === undefined ? method === undefined && !String(msg).includes('://') : ofLine === tenant;

function formatLine(members: Members): string {
  const { level, time, msg, err } = members;
  const shown = shownMembers.flatMap((name) => formatMember(name, members[name]));
  const { name, code } = (err ?? {}) as Members;
  const error = [...formatMember('error', name), ...formatMember('errorCode', code)];
  return [time, level, msg, ...shown, ...error].map(String).join(' ');
}

const formatMember = (name: string, value: unknown): string[] =>
  ['string', 'number', 'boolean'].includes(typeof value) ? [`${name}=${String(value)}`] : [];
