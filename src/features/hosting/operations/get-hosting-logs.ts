// GetHostingLogs: the newest runtime log lines of an application.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatUtc, toMs2000 } from '../../../lib/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { HostingSourceError, type Hosting } from '../../../providers/hosting/hosting.ts';
import { ResultCache } from '../result-cache.ts';
import { toPlainLines, type PlainLines } from '../rules/plain-lines.ts';
import type { HostingLogs, LogsQuery } from '../schemas.ts';

export type HostingDependencies = {
  readonly hosting: Hosting;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

const maxAgeMs = 10_000;

type GetHostingLogs = (context: ManagerContext, query: LogsQuery) => Promise<HostingLogs>;

export function createGetHostingLogs(dependencies: HostingDependencies): GetHostingLogs {
  const isFailure = (error: unknown): boolean => error instanceof HostingSourceError;
  const cache = new ResultCache<PlainLines>({ maxAgeMs, clock: dependencies.clock, isFailure });
  return (context, query) => getHostingLogs(context, query, { ...dependencies, cache });
}

export async function getHostingLogs(
  { tenant }: ManagerContext,
  { environment, application }: LogsQuery,
  { hosting, clock, cache }: HostingDependencies & { readonly cache: ResultCache<PlainLines> },
): Promise<HostingLogs> {
  const source = hosting.find({ environment, application })?.logs;
  if (source === undefined) throw new Problem('hosting-not-configured');
  const key = [environment, application, source.dependsOnTenant ? tenant.name : ''].join('/');
  const result = await cache.get(key, async () => {
    const { lines, truncated } = await source.read({ tenant: tenant.name, nowMs: clock() });
    return toPlainLines(lines, truncated);
  });
  if (!result.ok) throw new Problem('hosting-unavailable');
  const { lines, truncated } = result.value;
  const { showLine = (line: string) => line } = source;
  const shown = lines.flatMap((line) => showLine(line, tenant.name) ?? []);
  return { environment, application, fetchedAtUtc: formatUtc(toMs2000(result.fetchedAt)), lines: shown, truncated };
}
