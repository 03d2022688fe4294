// Says on standard output that the service is ready.

import type { Application } from '../../app.ts';
import type { Config } from '../../config.ts';
import { demoPassword } from '../../features/passwords/rules/password.ts';

type ReadyFacts = {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  readonly metricsUrl: string | undefined;
  readonly application: Application;
  /** The names of the tenants that have demo data. */
  readonly tenantsWithDemo: readonly string[];
};

/** A terminal also gets lines for people. */
export function reportReady(config: Config, facts: ReadyFacts): void {
  const { scheme, port, metricsUrl, application } = facts;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  printReadyLine({ url: `${scheme}://${host}:${port}`, metricsUrl: metricsUrl ?? null });
  if (application === 'portal' && process.stdout.isTTY) process.stdout.write(formatWelcome(config, facts));
}

/** Written at any log level, since the starting process may wait for this line. */
function printReadyLine(facts: { url: string; metricsUrl: string | null }): void {
  process.stdout.write(
    `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'ready', ...facts })}\n`,
  );
}

const defaultPorts = { http: 80, https: 443 } as const;

/** Four lines, with addresses of the first tenant that has demo data, or of the first one if none has. */
function formatWelcome({ tenants, domain }: Config, { scheme, port, tenantsWithDemo }: ReadyFacts): string {
  const withDemo = tenants.find(({ name }) => tenantsWithDemo.includes(name));
  const { name } = withDemo ?? tenants[0] ?? {};
  const origin = `${scheme}://api.${name}.${domain}${port === defaultPorts[scheme] ? '' : `:${port}`}`;
  const login =
    withDemo === undefined
      ? 'create one with npm run portal -- manager create'
      : `user name owner, password ${demoPassword}`;
  return `Portal:        ${origin}/console/\nDocumentation: ${origin}/docs\nLogin:         ${login}\nWindows app:   ${origin}/download\n`;
}
