// GetHostingLogs: lists the newest runtime log lines of an application.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatUtc, toMs2000 } from '../../../lib/time/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import type { Hosting, LogLines } from '../../../providers/hosting/hosting.ts';
import type { ResultCache } from '../process/result-cache.ts';
import { maxBytes, maxLines, takeNewest, toPlainLines } from '../rules/plain-lines.ts';
import type { HostingLogs, HostingLogsQuery } from '../schemas.ts';

export type GetHostingLogsDependencies = {
  readonly hosting: Hosting;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly cache: ResultCache<LogLines>;
};

export const logsMaxAgeMs = 10_000;

/**
 * The lines that are read from a log in which a tenant sees only some lines; most of the newest ones can be those of
 * other tenants.
 */
const maxUnfilteredLines = 500;

export async function getHostingLogs(
  { tenant }: ManagerContext,
  { environment, application }: HostingLogsQuery,
  { hosting, clock, cache }: GetHostingLogsDependencies,
): Promise<HostingLogs> {
  const source = hosting.find({ environment, application })?.logs;
  if (source === undefined) throw new Problem('hosting-not-configured');
  const key = [environment, application, source.dependsOnTenant ? tenant.name : ''].join('/');
  const { showLine } = source;
  const reader = { tenant: tenant.name, environment };
  const most = showLine === undefined ? maxLines : maxUnfilteredLines;
  const result = await cache.get(key, async () => {
    const read = await source.read({ ...reader, nowMs: clock(), maxLines: most });
    return takeNewest(read, { maxLines: most, maxBytes });
  });
  if (!result.ok) throw new Problem('hosting-unavailable');
  const { lines, truncated } = result.value;
  const shown = showLine === undefined ? lines : lines.flatMap((line) => showLine(line, reader) ?? []);
  // Done last, because control characters can be JSON escapes before.
  const plain = toPlainLines(shown, truncated);
  return { environment, application, fetchedAtUtc: formatUtc(toMs2000(result.fetchedAt)), ...plain };
}
