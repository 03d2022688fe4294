// A service process with a bank of many units, and a session for each client that loads it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockAndAppendPostings } from '../../../src/features/account/queries/ledger.ts';
import { toMs2000 } from '../../../src/lib/time/ms2000.ts';
import { postingDraft } from '../../support/account-reads.ts';
import { sundHost } from '../../support/call.ts';
import { computersPath } from '../../support/computers.ts';
import { createToken, insertTestBank } from '../../support/factories.ts';
import { grantBank } from '../../support/granted-banks.ts';
import { startServeProcess, type ServeProcess } from '../../support/portal-process.ts';
import { createStorage, startService, type Engine } from '../../support/service.ts';
import { dayMs, hourMs } from '../../support/times.ts';
import { unitIds, unitPath } from '../../support/unit-settings.ts';
import type { LoadTarget } from './steady-load.ts';

export type LoadedService = { readonly process: ServeProcess; readonly target: LoadTarget; stop(): Promise<void> };

type LoadedServiceOptions = { readonly clients: number; readonly settings?: Readonly<Record<string, string>> };

const bankId = 1001;
const postingCount = 500;

export async function startLoadedService(
  engine: Engine,
  { clients, settings = {} }: LoadedServiceOptions,
): Promise<LoadedService> {
  const stack = new AsyncDisposableStack();
  const storage = await createStorage(engine);
  stack.defer(() => storage.release());
  const folder = mkdtempSync(join(tmpdir(), 'portal-loaded-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const tenants = join(folder, 'tenants.json');
  const sund = { name: 'sund', displayName: 'Sund', country: 'DK', currency: 'DKK', timeZone: 'Europe/Copenhagen' };
  writeFileSync(tenants, JSON.stringify([sund]));
  const tokens: string[] = [];
  const service = await startService(engine, { storage });
  try {
    const units = Array.from({ length: clients }, (_, at) => at + 1);
    const postedAt = toMs2000(Date.now()) - hourMs;
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId, places: { 1: units } });
      const drafts = Array.from({ length: postingCount }, () => postingDraft(postedAt, { internalTag: 1 }));
      await lockAndAppendPostings(db, grantBank(bankId), drafts);
    });
    while (tokens.length < clients) tokens.push((await createToken(service, { livesMs: dayMs })).token);
  } finally {
    await service.stop();
  }
  const child = await startServeProcess({
    PORTAL_STORAGE: storage.storageUrl,
    PORTAL_TENANTS: tenants,
    PORTAL_LOG_LEVEL: 'error',
    PORTAL_RATE_LIMIT: 'off',
    PORTAL_CONNECTIONS: '20000,20000',
    ...settings,
  });
  stack.defer(() => child.kill());
  return {
    process: child,
    target: {
      port: child.port,
      host: sundHost,
      reads: [`/api/v1/banks/sund-B${bankId}/account?limit=50`, computersPath(bankId), '/api/v1/session/me'],
      clients: tokens.map((token, at) => ({ token, writePath: unitPath(unitIds(bankId, 1, at + 1), '/commands') })),
    },
    stop: () => stack.disposeAsync(),
  };
}
