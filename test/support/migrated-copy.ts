// Gives a tenant of a test its schema: a copy of a database that this process has migrated once, since migrations take
// ten times as long. Migrations have their own tests.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { sqliteFilePath } from '../../src/database/checks/diagnose.ts';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { StorageAddress } from '../../src/database/storage-address.ts';
import { privateFileMode, privateFolderMode } from '../../src/lib/bytes/file-modes.ts';

type SqliteAddress = Extract<StorageAddress, { engine: 'sqlite' }>;
type MysqlAddress = Extract<StorageAddress, { engine: 'mysql' }>;

const templateTenant = 'template';

let sqliteTemplate: Promise<Buffer> | undefined;
/** By the address of the server: the statements that make the tables and fill them. */
const mysqlTemplates = new Map<string, Promise<string>>();

/** Gives the database of a tenant the schema of this version. One that is there already is migrated. */
export async function prepareDatabase(databases: Databases, address: StorageAddress, tenant: string): Promise<void> {
  const isNew =
    address.engine === 'sqlite' ? await createSqliteCopy(address, tenant) : await createMysqlCopy(address, tenant);
  if (!isNew) await databases.migrate(tenant);
}

/** False where there is such a file already. */
async function createSqliteCopy({ directory }: SqliteAddress, tenant: string): Promise<boolean> {
  const path = sqliteFilePath(directory, tenant);
  if (existsSync(path)) return false;
  const content = await (sqliteTemplate ??= readSqliteTemplate());
  mkdirSync(directory, { recursive: true, mode: privateFolderMode });
  writeFileSync(path, content, { mode: privateFileMode });
  return true;
}

async function readSqliteTemplate(): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-template-'));
  try {
    await migrateTemplate({ engine: 'sqlite', directory });
    return readFileSync(sqliteFilePath(directory, templateTenant));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** False where there is such a schema already. */
async function createMysqlCopy(address: MysqlAddress, tenant: string): Promise<boolean> {
  const schema = `${address.prefix}${tenant}`;
  return withConnection(address, async (connection) => {
    const [existing] = await connection.query<RowDataPacket[]>('show databases where `Database` = ?', [schema]);
    if (existing.length > 0) return false;
    const server = `${address.nodes[0].host}:${address.nodes[0].port}`;
    const template = mysqlTemplates.get(server) ?? readMysqlTemplate(address, connection);
    mysqlTemplates.set(server, template);
    const statements = await template;
    await connection.query(`create database \`${schema}\` character set utf8mb4 collate utf8mb4_bin`);
    await connection.query(`use \`${schema}\`; ${statements}`);
    return true;
  });
}

/** The schema of the template stays: rows of the copies come from it. */
async function readMysqlTemplate(address: MysqlAddress, connection: Connection): Promise<string> {
  const prefix = `template${process.pid}_`;
  await migrateTemplate({ ...address, prefix });
  const schema = `\`${prefix}${templateTenant}\``;
  const [tables] = await connection.query<RowDataPacket[]>(`show tables from ${schema}`);
  const statements: string[] = [];
  for (const name of tables.flatMap((row) => Object.values(row).map(String))) {
    const table = `${schema}.\`${name}\``;
    const [[created]] = await connection.query<RowDataPacket[]>(`show create table ${table}`);
    const [[content]] = await connection.query<RowDataPacket[]>(`select count(*) as rowCount from ${table}`);
    statements.push(String(created?.['Create Table']));
    if (Number(content?.['rowCount']) > 0) statements.push(`insert into \`${name}\` select * from ${table}`);
  }
  return ['set foreign_key_checks = 0', ...statements].join(';\n');
}

async function migrateTemplate(address: StorageAddress): Promise<void> {
  const databases = openDatabases(address);
  await databases.migrate(templateTenant);
  await databases.close();
}

async function withConnection<T>(address: MysqlAddress, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { nodes, user, password } = address;
  const connection = await createConnection({ ...nodes[0], user, password, multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    connection.destroy();
  }
}
