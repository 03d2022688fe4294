// GetHostingLogs: the newest runtime log lines of an application.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatUtc, toMs2000 } from '../../../lib/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { HostingSourceError, type Hosting, type LogLines } from '../../../providers/hosting/hosting.ts';
import { ResultCache } from '../result-cache.ts';
import { maxBytes, maxLines, takeNewest, toPlainLines } from '../rules/plain-lines.ts';
import type { HostingLogs, LogsQuery } from '../schemas.ts';

export type HostingDependencies = {
  readonly hosting: Hosting;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

const maxAgeMs = 10_000;

/** Of a log in which a tenant sees some lines alone: most of the newest ones may be those of others. */
const maxUnfilteredLines = 500;

type GetHostingLogs = (context: ManagerContext, query: LogsQuery) => Promise<HostingLogs>;

export function createGetHostingLogs(dependencies: HostingDependencies): GetHostingLogs {
  const isFailure = (error: unknown): boolean => error instanceof HostingSourceError;
  const cache = new ResultCache<LogLines>({ maxAgeMs, clock: dependencies.clock, isFailure });
  return (context, query) => getHostingLogs(context, query, { ...dependencies, cache });
}

export async function getHostingLogs(
  { tenant }: ManagerContext,
  { environment, application }: LogsQuery,
  { hosting, clock, cache }: HostingDependencies & { readonly cache: ResultCache<LogLines> },
): Promise<HostingLogs> {
  const source = hosting.find({ environment, application })?.logs;
  if (source === undefined) throw new Problem('hosting-not-configured');
  const key = [environment, application, source.dependsOnTenant ? tenant.name : ''].join('/');
  const { showLine } = source;
  const most = showLine === undefined ? maxLines : maxUnfilteredLines;
  const result = await cache.get(key, async () => {
    const read = await source.read({ tenant: tenant.name, nowMs: clock(), maxLines: most });
    return takeNewest(read, { maxLines: most, maxBytes });
  });
  if (!result.ok) throw new Problem('hosting-unavailable');
  const { lines, truncated } = result.value;
  const shown = showLine === undefined ? lines : lines.flatMap((line) => showLine(line, tenant.name) ?? []);
  // Last: what is control characters may have been written as escapes of JSON before.
  const plain = toPlainLines(shown, truncated);
  return { environment, application, fetchedAtUtc: formatUtc(toMs2000(result.fetchedAt)), ...plain };
}
