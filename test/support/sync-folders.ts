// Folders of files that `sync` takes, and the files in them.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareFolders } from '../../src/features/rent-sync/commands/sync-files.ts';
import { createFolderSync, type FolderSync } from '../../src/features/rent-sync/commands/sync-folder.ts';
import { readSyncConfig } from '../../src/features/rent-sync/commands/read-sync-config.ts';
import { readSyncState } from '../../src/features/rent-sync/commands/sync-state.ts';
import type { OperatorImports } from '../../src/features/imports/commands/import-by-operator.ts';
import type { SyncReport } from '../../src/features/rent-sync/rules/sync-report.ts';
import { createChargesSource } from '../../src/features/settlements/commands/charges-by-operator.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import type { TestService } from './service.ts';

export type LogLine = { readonly level: string; readonly text: string } & Record<string, unknown>;

type OpenOptions = {
  readonly settleMs?: number;
  /** Runs before each write to the database. */
  readonly beforeWrite?: () => void;
};

export type SyncFolder = {
  readonly path: string;
  /** Of the clock that decides which files are complete. */
  readonly clock: { ms: number };
  readonly lines: LogLine[];
  put(name: string, text: string): void;
  list(folder?: 'done' | 'failed' | 'out'): string[];
  report(folder: 'done' | 'failed', name: string): SyncReport;
  open(config: unknown, options?: OpenOptions): Promise<FolderSync>;
  remove(): void;
};

export function createOperator({ dependencies }: Pick<TestService, 'dependencies'>): OperatorImports {
  const tenant = dependencies.config.tenants.find(({ name }) => name === 'sund')!;
  const clock = (): number => toMs2000(Date.now());
  return { database: dependencies.databases.forTenant('sund'), tenant, clock, command: 'sync' };
}

function hookWrites(service: Pick<TestService, 'dependencies'>, beforeWrite: () => void): OperatorImports {
  const operator = createOperator(service);
  const { database } = operator;
  const write: typeof database.write = (options, work) => {
    beforeWrite();
    return database.write(options, work);
  };
  return { ...operator, database: { ...database, write } };
}

/** Without hidden files. */
export function createSyncFolder(service: Pick<TestService, 'dependencies'>): SyncFolder {
  const path = mkdtempSync(join(tmpdir(), 'portal-sync-'));
  const clock = { ms: 0 };
  const lines: LogLine[] = [];
  const logAs = (level: string) => (details: object, text: string) => void lines.push({ level, text, ...details });
  const log = { info: logAs('info'), warn: logAs('warn'), error: logAs('error') } as never;
  return {
    path,
    clock,
    lines,
    put: (name, text) => writeFileSync(join(path, name), text),
    list: (folder) =>
      readdirSync(join(path, folder ?? '.'), { withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map(({ name }) => name)
        .toSorted(),
    report: (folder, name) => JSON.parse(readFileSync(join(path, folder, `${name}.report.json`), 'utf8')) as SyncReport,
    open: async (document, { settleMs = 0, beforeWrite } = {}) => {
      await prepareFolders(path);
      const operator = beforeWrite === undefined ? createOperator(service) : hookWrites(service, beforeWrite);
      const read = await readSyncConfig(operator, document, undefined);
      if ('errors' in read) throw new Error(JSON.stringify(read.errors));
      const { worker } = await readSyncState(path);
      const work = { worker, signal: new AbortController().signal };
      const { config } = read;
      const monotonicMs = () => clock.ms;
      const chargesSource = createChargesSource(operator);
      const times = { settleMs, intervalMs: 1000, monotonicMs };
      return createFolderSync({ operator, folder: path, chargesSource, work, config, log, ...times });
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
