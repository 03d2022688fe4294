// A file of PORTAL_HOSTING whose provider is a server of the test.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeHosting } from './fake-hosting.ts';

export const canary = 'canary-token-91e0ab';
export const appId = 'app-9f2cf';
export const databaseId = 'db-ff30';

export type HostingFile = { readonly path: string; remove(): void };

/** Beta has applications of the provider, and production has none. */
export function writeHostingFile({ url }: FakeHosting): HostingFile {
  const folder = mkdtempSync(join(tmpdir(), 'portal-hosting-file-'));
  const path = join(folder, 'hosting.json');
  writeFileSync(join(folder, 'token'), `${canary}\n`);
  const ocean = {
    type: 'digitalocean',
    baseUrl: url,
    tokenFile: 'token',
    logHosts: ['127.0.0.1'],
    requestsPerMinute: 10_000,
  };
  const app = { provider: 'ocean', appId };
  const beta = { 'portal-api': app, 'equipment-api': app, 'portal-web': app, mysql: { provider: 'ocean', databaseId } };
  writeFileSync(path, JSON.stringify({ providers: { ocean }, applications: { beta } }));
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}
