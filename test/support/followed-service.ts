// A service that writes through HTTP while `backup follow` copies its database, both processes of their own. Every write
// is noted with the times between which it took place.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabases } from '../../src/database/databases.ts';
import { isGenerationName, readGeneration } from '../../sqlite-follower/copy-names.ts';
import { waitUntil } from './async.ts';
import { createCaller, type Call } from './call.ts';
import { createToken, insertTestBank } from './factories.ts';
import { runPortal, startPortal, startServeProcess, type RunningPortal, type ServeProcess } from './portal-process.ts';
import { createStorage, declareOperations, startService, type TestStorage } from './service.ts';
import { longDeadline, storageAddressOf, tenant } from './test-database.ts';
import { callSetUnitSetting, unitIds } from './unit-settings.ts';

export type NotedWrite = { readonly value: string; readonly sentAtMs: number; readonly answeredAtMs: number };

const writers = 4;

export type FollowedService = {
  readonly folder: string;
  /** The copy of the tenant. */
  readonly copy: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly storage: TestStorage;
  readonly written: NotedWrite[];
  serve(): Promise<ServeProcess>;
  follow(...options: string[]): Promise<RunningPortal>;
  /** Writes until the service is gone. */
  writeOn(service: ServeProcess): Promise<void>;
  /** Waits for a file of the copy that is not there yet. */
  waitForCopy(): Promise<void>;
  release(): Promise<void>;
};

export const writeOnlyTenant = (directory: string): string => {
  const file = join(directory, 'tenants.json');
  const sund = { name: tenant, displayName: 'Sund', country: 'DK', currency: 'DKK', timeZone: 'Europe/Copenhagen' };
  writeFileSync(file, JSON.stringify([sund]));
  return file;
};

export async function createFollowedService(): Promise<FollowedService> {
  const storage = await createStorage('sqlite');
  const preparing = await startService('sqlite', { storage });
  const unitNumbers = Array.from({ length: writers }, (_, at) => at + 1);
  await preparing.write(tenant, (db) => insertTestBank(db, { places: { 1: unitNumbers } }));
  const { token } = await createToken(preparing);
  await preparing.stop();
  const folder = mkdtempSync(join(tmpdir(), 'portal-test-'));
  const target = join(folder, 'copies');
  mkdirSync(target);
  const copy = join(target, tenant);
  const settings = {
    PORTAL_STORAGE: storage.storageUrl,
    PORTAL_CACHE: join(folder, 'cache'),
    PORTAL_MAIL_OUTBOX: join(folder, 'outbox'),
    PORTAL_HOSTING_STATE: join(folder, 'hosting'),
    PORTAL_TENANTS: writeOnlyTenant(folder),
    PORTAL_RATE_LIMIT: 'off',
  };
  const written: NotedWrite[] = [];
  const revisions = new Map<number, string>();
  const operations = declareOperations(preparing.dependencies);
  const set = async (call: Call, unitId: number): Promise<void> => {
    const value = `note ${unitId} ${written.length} ${'x'.repeat(100)}`;
    const sentAtMs = Date.now();
    const expectedRevision = revisions.get(unitId) ?? '0';
    const { status, json } = await callSetUnitSetting({ call }, unitIds(1001, 1, unitId), 'Note', value, {
      token,
      expectedRevision,
    });
    // A write before the service was killed was stored, though it was not answered.
    if (status === 409) revisions.set(unitId, String(json.currentRevision));
    else {
      assert.equal(status, 200, JSON.stringify(json));
      revisions.set(unitId, json.revision);
      written.push({ value, sentAtMs, answeredAtMs: Date.now() });
    }
  };
  const listCopied = (): string => readdirSync(copy, { recursive: true, encoding: 'utf8' }).join();
  return {
    folder,
    copy,
    settings,
    storage,
    written,
    serve: () => startServeProcess({ ...settings, PORTAL_LOG_LEVEL: 'silent' }),
    follow: async (...options) => {
      const running = startPortal(['backup', 'follow', target, ...options], settings);
      await waitUntil('it follows', () => running.stdout().includes('"ready"'));
      return running;
    },
    writeOn: async (service) => {
      const over = new AbortController();
      void service.ended.then(() => over.abort());
      const call = createCaller(service.port, operations);
      const writeUnit = async (unitId: number): Promise<void> => {
        while (!over.signal.aborted)
          await set(call, unitId).catch((error: NodeJS.ErrnoException) => {
            // The connection breaks when the service is killed.
            if (!/^(?:ECONN|EPIPE|HPE)/.test(String(error.code))) throw error;
            over.abort();
          });
      };
      await Promise.all(unitNumbers.map(writeUnit));
    },
    waitForCopy: async () => {
      const before = listCopied();
      await waitUntil('something is copied', () => listCopied() !== before);
      // A generation that has just begun can be restored from its base on.
      await waitUntil('it can be restored', () => hasBase(copy));
    },
    release: async () => {
      await storage.release();
      rmSync(folder, { recursive: true });
    },
  };
}

function hasBase(copy: string): boolean {
  const newest = readdirSync(copy).filter(isGenerationName).toSorted().at(-1) ?? '';
  return readGeneration(newest, readdirSync(join(copy, newest))).bases.length > 0;
}

export type RestoredMoment = {
  /** All that was committed until then is in it, by the command's word. */
  readonly untilMs: number;
  readonly values: ReadonlySet<string>;
  readonly settings: Readonly<Record<string, string>>;
  release(): Promise<void>;
};

/** Restores into a storage of its own. */
export async function restoreMoment(
  { copy, settings }: Pick<FollowedService, 'copy' | 'settings'>,
  ...options: string[]
): Promise<RestoredMoment> {
  const storage = await createStorage('sqlite');
  const own = { ...settings, PORTAL_STORAGE: storage.storageUrl };
  const { code, stdout, stderr } = await runPortal(['restore', copy, '--tenant', tenant, ...options], own);
  assert.equal(code, 0, stderr);
  const [, moment = ''] = /as they were at (\S+Z)/.exec(stdout) ?? [];
  const databases = openDatabases(storageAddressOf(storage));
  const rows = await databases
    .forTenant(tenant)
    .read(longDeadline, (db) => db.selectFrom('unit_setting_history').select('value').execute());
  await databases.close();
  const values = new Set(rows.flatMap(({ value }) => value ?? []));
  return { untilMs: Date.parse(moment), values, settings: own, release: storage.release };
}
