// The log of this process as plain text. A tenant sees its own lines and those of no tenant. Of a line only members are
// shown that are known to be neither personal nor secret: no client address, no message or stack of an error.

import type { LogSource } from '../hosting.ts';

const maxLines = 100;

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

export type OwnLines = {
  newestFirst(): Iterable<string>;
  /** Whether older lines are no longer known. */
  isCut(): boolean;
};

export const createOwnLogSource = ({ newestFirst, isCut }: OwnLines): LogSource => ({
  dependsOnTenant: true,
  read: async ({ tenant }) => {
    const lines: string[] = [];
    for (const line of newestFirst()) {
      const members = parseLine(line);
      if (members === undefined || !isVisible(members, tenant)) continue;
      if (lines.length === maxLines) return { lines: lines.toReversed(), truncated: true };
      lines.push(formatLine(members));
    }
    return { lines: lines.toReversed(), truncated: isCut() };
  },
});

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
