// Checks at start how many files the process may open. With too few of them databases and connections would fail later, as if
// they were slow or broken.

import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { CommandError } from '../command-error.ts';

/** The files of a tenant's database: its connections, with two files each on SQLite, and what their threads open. */
const filesOfTenant = 30;

/** Streams, listeners, the threads of images and files, requests to other services, files of the cache. */
const otherFiles = 100;

/** Throws CommandError if there are too few without any connection; warns if there are too few for all connections. */
export function requireOpenFiles({ tenants, connections }: Config, log: Pick<Logger, 'warn'>): void {
  const limit = readOpenFileLimit();
  if (limit === undefined) return;
  const own = otherFiles + tenants.length * filesOfTenant;
  const needed = own + connections.total;
  if (limit < own)
    throw new CommandError(
      `the process may open ${limit} files, and needs ${needed}: ${own} of its own, and one for each of ` +
        `${connections.total} connections (PORTAL_CONNECTIONS); raise the limit (ulimit -n, LimitNOFILE of systemd)`,
      1,
    );
  if (limit < needed) log.warn({ limit, needed }, 'the process may open too few files for PORTAL_CONNECTIONS');
}

/** Undefined if there is no limit, or if the system does not tell it. Node has raised it to the hard limit. */
function readOpenFileLimit(): number | undefined {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}
