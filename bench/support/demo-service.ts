// A service on demo data whose first bank holds as many postings as a benchmark asks for.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInTenants } from '../../src/tenants.ts';
import { demoPassword } from '../../src/features/passwords/rules/password.ts';
import { fetchText } from './request.ts';
import { runPortal, startPortal, type RunningProcess, type LoadTarget } from './processes.ts';

export const host = 'api.sund.localhost';

/** Settings of a deployment with one tenant. */
export function oneTenantSettings(storage: string): Record<string, string> {
  const file = join(mkdtempSync(join(tmpdir(), 'portal-bench-')), 'tenants.json');
  writeFileSync(file, JSON.stringify(builtInTenants.slice(0, 1)));
  return {
    PORTAL_STORAGE: storage,
    PORTAL_CACHE: mkdtempSync(join(tmpdir(), 'portal-bench-cache-')),
    PORTAL_MAIL_OUTBOX: mkdtempSync(join(tmpdir(), 'portal-bench-outbox-')),
    PORTAL_HOSTING_STATE: mkdtempSync(join(tmpdir(), 'portal-bench-hosting-')),
    PORTAL_TENANTS: file,
    PORTAL_PORT: '0',
    PORTAL_METRICS_PORT: '0',
    PORTAL_RATE_LIMIT: 'off',
    PORTAL_CONNECTIONS: '20000,20000',
    PORTAL_SIMULATOR: 'off',
  };
}

export type BenchService = RunningProcess & { target(path: string): LoadTarget };

/** `prepare` inserts further data before the service starts. */
export async function startDemoService(
  storage: string,
  postings: number,
  prepare: () => Promise<void> = async () => {},
): Promise<BenchService> {
  const environment = oneTenantSettings(storage);
  await runPortal(['demo', '--postings', String(postings)], environment);
  await prepare();
  return serveDemoData(environment);
}

/** Starts a service on demo data that there is. */
export async function serveDemoData(environment: Readonly<Record<string, string>>): Promise<BenchService> {
  const running = await startPortal(environment);
  const { port } = new URL(String(running.line['url']));
  const token = await logIn(Number(port));
  return { ...running, target: (path) => ({ port: Number(port), path, host, token }) };
}

async function logIn(port: number): Promise<string> {
  const body = { userName: 'owner', password: demoPassword };
  const { accessToken } = JSON.parse(await fetchText({ port, path: '/api/v1/session/login', host, body })) as {
    accessToken: string;
  };
  return accessToken;
}
