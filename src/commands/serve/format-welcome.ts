// Formats what a person at a terminal reads when the service is ready: the pages to open, and a login that works.

import type { Config } from '../../config.ts';
import { demoPassword } from '../../features/passwords/rules/password.ts';

type Listening = {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** The names of the tenants that have demo data. */
  readonly tenantsWithDemo: readonly string[];
};

const defaultPorts = { http: 80, https: 443 } as const;

/** Four lines, with addresses of the first tenant that has demo data, or of the first one if none has. */
export function formatWelcome({ tenants, domain }: Config, { scheme, port, tenantsWithDemo }: Listening): string {
  const withDemo = tenants.find(({ name }) => tenantsWithDemo.includes(name));
  const { name } = withDemo ?? tenants[0] ?? {};
  const origin = `${scheme}://api.${name}.${domain}${port === defaultPorts[scheme] ? '' : `:${port}`}`;
  const login =
    withDemo === undefined
      ? 'create one with npm run portal -- manager create'
      : `user name owner, password ${demoPassword}`;
  return `Portal:        ${origin}/console/\nDocumentation: ${origin}/docs\nLogin:         ${login}\nWindows app:   ${origin}/download\n`;
}
