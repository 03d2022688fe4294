// `manager create`: the first manager of a real deployment comes in here. The password is read from standard input,
// where neither the process list nor the shell's history shows it.

import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import { DuplicateError, StorageError } from '../database/errors.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { createPasswordHasher } from '../features/credentials/password-hasher.ts';
import { demoPassword } from '../features/credentials/demo-password.ts';
import {
  findManagerCredentials,
  insertManager,
  readNextManagerId,
  type InsertManagerInput,
} from '../features/credentials/queries/managers.ts';
import { normalizeUserName } from '../features/credentials/rules/user-name.ts';
import { formatKid, parseKid } from '../lib/kid.ts';
import { isPermission, isTab, permissions, tabs } from '../permissions/matrix.ts';
import { CommandError } from './command-error.ts';
import { selectTenant } from './select-tenants.ts';

export type CreateManagerOptions = {
  readonly tenant: string;
  readonly userName: string;
  readonly name: string;
  readonly email: string;
  readonly organisation: string;
  readonly tab?: string[];
  readonly permission?: string[];
  readonly grant?: string[];
};

// OWASP ASVS 5.0, 6.2.1 and 6.2.9.
const minPasswordLength = 8;
const maxPasswordLength = 128;
const maxUserNameLength = 128;
const deadlineMs = 10_000;
const maxInsertAttempts = 10;

export async function createManager(config: Config, options: CreateManagerOptions): Promise<void> {
  const tenant = selectTenant(config.tenants, options.tenant);
  const userName = parseLine('--user-name', options.userName, 1, maxUserNameLength);
  // Written out, a few characters can become many.
  if (normalizeUserName(userName).length > maxUserNameLength)
    throw new CommandError('--user-name has characters that are too long');
  const profile = {
    name: parseLine('--name', options.name, 0, 200) || userName,
    email: parseLine('--email', options.email, 0, 254),
    organisation: parseLine('--organisation', options.organisation, 0, 200),
  };
  const rights = {
    tabs: parseNames(options.tab ?? [], tabs, isTab, '--tab'),
    permissions: parseNames(options.permission ?? [], permissions, isPermission, '--permission'),
    grants: [...new Set(options.grant)].map((kid) => parseGrant(kid, tenant.name)),
  };
  const passwordHash = await createPasswordHasher().hash(await readPassword());
  const databases = openDatabases(config.storage);
  try {
    if ((await databases.listPendingMigrations(tenant.name)).length > 0) {
      throw new CommandError(`the database of ${tenant.name} is not up to date: run \`migrate\` first`, 1);
    }
    const managerId = await insertWithRetry(databases.forTenant(tenant.name), {
      ...profile,
      ...rights,
      userName,
      personIcon: 'person',
      passwordHash,
      credentialStamp: randomUUID(),
      active: true,
      retentionDays: null,
    });
    process.stdout.write(`${formatKid({ type: 'manager', tenant: tenant.name, managerId })}\n`);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new CommandError(`the database of ${tenant.name} cannot be used: is it up, and was \`migrate\` run?`, 1);
  } finally {
    await databases.close();
  }
}

/** Another process may take the same id meanwhile; whether it was the name, the next attempt sees. */
async function insertWithRetry(
  database: TenantDatabase,
  manager: Omit<InsertManagerInput, 'managerId'>,
): Promise<number> {
  const insert = (): Promise<number> =>
    database.write({ deadlineMs }, async (db) => {
      const taken = await findManagerCredentials(db, normalizeUserName(manager.userName));
      if (taken !== undefined) throw new CommandError(`the user name ${manager.userName} is taken`, 1);
      const managerId = await readNextManagerId(db);
      await insertManager(db, { ...manager, managerId });
      return managerId;
    });
  for (let attempt = 1; attempt < maxInsertAttempts; attempt += 1) {
    try {
      return await insert();
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
    }
  }
  return insert();
}

/** One line of text, without the spaces around it. */
function parseLine(flag: string, given: string, minLength: number, maxLength: number): string {
  const text = given.trim();
  if (text.length < minLength || text.length > maxLength || /\p{Cc}/u.test(text)) {
    throw new CommandError(
      `${flag} must have ${minLength} to ${maxLength} characters, none of them a control character`,
    );
  }
  return text;
}

function parseNames<T extends string>(
  given: readonly string[],
  all: readonly T[],
  isKnown: (name: string) => name is T & string,
  flag: string,
): readonly T[] {
  if (given.includes('all')) return all;
  const wrong = given.find((name) => !isKnown(name));
  if (wrong !== undefined) throw new CommandError(`${flag} ${wrong}: expected all, or one of ${all.join(', ')}`);
  return [...new Set(given as T[])];
}

function parseGrant(text: string, tenant: string): { bankId: number; locationId: number } {
  const kid = parseKid(text, tenant, ['tenant', 'bank', 'location']);
  if (kid === undefined)
    throw new CommandError(`--grant ${text}: expected the KID of this tenant, of a bank or of a location of it`);
  if (kid.type === 'tenant') return { bankId: 0, locationId: 0 };
  return { bankId: kid.bankId, locationId: kid.type === 'location' ? kid.locationId : 0 };
}

async function readPassword(): Promise<string> {
  const password = await readLine();
  const length = Array.from(password).length;
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new CommandError(
      `the password on standard input must have ${minPasswordLength} to ${maxPasswordLength} characters`,
    );
  }
  if (password === demoPassword)
    throw new CommandError('the demo password opens nothing but demo data: choose another');
  return password;
}

/** The first line of standard input; typed at a terminal it is not shown. */
async function readLine(): Promise<string> {
  const terminal = process.stdin.isTTY;
  if (terminal) process.stderr.write('Password: ');
  const mutedOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: mutedOutput, terminal });
  for await (const line of lines) return line;
  return '';
}
