// Says on standard output that the service is ready.

import type { Application } from '../../app.ts';
import type { Config } from '../../config.ts';
import { formatWelcome } from './format-welcome.ts';

type ReadyFacts = {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  readonly metricsUrl: string | undefined;
  readonly application: Application;
  readonly tenantsWithDemo: readonly string[];
};

/** A terminal also gets lines for people. */
export function reportReady(
  config: Config,
  { scheme, port, metricsUrl, application, tenantsWithDemo }: ReadyFacts,
): void {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  printReadyLine({ url: `${scheme}://${host}:${port}`, metricsUrl: metricsUrl ?? null });
  if (application === 'portal' && process.stdout.isTTY)
    process.stdout.write(formatWelcome(config, { scheme, port, tenantsWithDemo }));
}

/** Written at any log level, since the starting process may wait for this line. */
function printReadyLine(facts: { url: string; metricsUrl: string | null }): void {
  process.stdout.write(
    `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'ready', ...facts })}\n`,
  );
}
