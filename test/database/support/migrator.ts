// A separate process that migrates a database: `migrator.ts <location as JSON> <tenant>`. It prints `ready`, waits for
// a line on its standard input, and then prints the migrations that it ran.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { openDatabases } from '../../../src/database/databases.ts';
import type { StorageAddress } from '../../../src/database/storage-address.ts';

// Not awaited: modules that are imported together with others must load synchronously.
if (import.meta.main) void migrate();

async function migrate(): Promise<void> {
  const databases = openDatabases(JSON.parse(process.argv[2] ?? '') as StorageAddress);
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  const ran = await databases.migrate(process.argv[3] ?? '');
  process.stdout.write(`${JSON.stringify(ran)}\n`);
  await databases.close();
  process.exit(0);
}

export type MigratorProcess = {
  /** Lets it begin. */
  start(): void;
  kill(): void;
  /** The migrations that it ran; undefined if it was killed before it had finished. */
  readonly ran: Promise<string[] | undefined>;
};

export async function startMigrator(location: StorageAddress, tenant: string): Promise<MigratorProcess> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(location), tenant], {
    stdio: ['pipe', 'pipe', 'inherit'],
  }) as unknown as ChildProcessWithoutNullStreams;
  child.stdin.on('error', () => {});
  let output = '';
  const ready = Promise.withResolvers<void>();
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.startsWith('ready\n')) ready.resolve();
  });
  const ended = once(child, 'close');
  await Promise.race([ready.promise, ended]);
  return {
    start: () => void child.stdin.write('go\n'),
    kill: () => void child.kill('SIGKILL'),
    ran: ended.then(() => {
      const [, list] = output.split('\n');
      return list === undefined || list === '' ? undefined : (JSON.parse(list) as string[]);
    }),
  };
}
