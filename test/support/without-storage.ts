// Makes storage unreachable during a request: moves the SQLite file, or cuts the connections to MariaDB.

import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpReply } from './call.ts';
import type { TestService } from './service.ts';

/** Asks while the storage of the tenant `sund` is away. `table` is one that the request needs. */
export async function callWithoutStorage(
  { dependencies }: TestService,
  call: () => Promise<HttpReply>,
  table = 'locations',
): Promise<HttpReply> {
  const { storage } = dependencies.config;
  if (storage.engine === 'mysql') return withBrokenConnection(storage, call, table);
  const file = join(storage.directory, 'sund.sqlite');
  renameSync(file, `${file}.away`);
  // A reader looks for its file every second.
  await pause(1100);
  const reply = await call();
  renameSync(`${file}.away`, file);
  return reply;
}

type MySqlStorage = Extract<TestService['dependencies']['config']['storage'], { engine: 'mysql' }>;

/** The connection breaks while the read waits for a lock. */
async function withBrokenConnection(
  { nodes, user, password, prefix }: MySqlStorage,
  ask: () => Promise<HttpReply>,
  table: string,
) {
  const database = `${prefix}sund`;
  const admin = await createConnection({ ...nodes[0], user, password, database });
  await admin.query(`lock tables ${table} write`);
  const asked = ask();
  let ids: number[] = [];
  while (ids.length === 0) {
    await pause(20);
    const [rows] = await admin.query<RowDataPacket[]>(
      "select id from information_schema.processlist where db = ? and command = 'Query' and id <> connection_id()",
      [database],
    );
    ids = rows.map(({ id }) => Number(id));
  }
  for (const id of ids) await admin.query(`kill connection ${id}`);
  const reply = await asked;
  await admin.end();
  return reply;
}
