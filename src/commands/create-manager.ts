// `manager create`: the first manager of a real deployment comes in here. The password is read from standard input,
// where neither the process list nor the shell's history shows it.

import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import { DuplicateError } from '../database/errors.ts';
import { argon2Passwords } from '../features/managers/passwords.ts';
import { insertManager, nextManagerId } from '../features/managers/queries.ts';
import { demoPassword } from '../features/sessions/login.ts';
import { formatKid, parseKid } from '../lib/kid.ts';
import { isPermission, isTab, permissions, tabs } from '../permissions/matrix.ts';
import { CommandError } from './command-error.ts';
import { chosenTenant } from './tenants.ts';

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
const deadlineMs = 10_000;

export async function createManager(config: Config, options: CreateManagerOptions): Promise<void> {
  const tenant = chosenTenant(config.tenants, options.tenant);
  const userName = options.userName.trim();
  if (userName === '' || userName.length > 128) throw new CommandError('--user-name must have 1 to 128 characters');
  const rights = {
    tabs: named(options.tab ?? [], tabs, isTab, '--tab'),
    permissions: named(options.permission ?? [], permissions, isPermission, '--permission'),
    grants: (options.grant ?? []).map((kid) => grantOf(kid, tenant.name)),
  };
  const passwordHash = await argon2Passwords().hash(await readPassword());
  const databases = openDatabases(config.storage);
  try {
    const managerId = await databases.of(tenant.name).write({ deadlineMs }, async (db) => {
      const id = await nextManagerId(db);
      await insertManager(db, {
        ...rights,
        managerId: id,
        userName,
        name: options.name === '' ? userName : options.name,
        email: options.email,
        organisation: options.organisation,
        personIcon: 'person',
        passwordHash,
        credentialStamp: randomUUID(),
        active: true,
        retentionDays: null,
      });
      return id;
    });
    process.stdout.write(`${formatKid({ type: 'manager', tenant: tenant.name, managerId })}\n`);
  } catch (error) {
    if (error instanceof DuplicateError) throw new CommandError(`the user name ${userName} is taken`, 1);
    throw error;
  } finally {
    await databases.close();
  }
}

function named<T extends string>(
  given: readonly string[],
  all: readonly T[],
  is: (name: string) => name is T & string,
  flag: string,
): readonly T[] {
  if (given.includes('all')) return all;
  const wrong = given.find((name) => !is(name));
  if (wrong !== undefined) throw new CommandError(`${flag} ${wrong}: expected all, or one of ${all.join(', ')}`);
  return [...new Set(given as T[])];
}

function grantOf(text_: string, tenant: string): { bankId: number; locationId: number } {
  const kid = parseKid(text_, tenant, ['tenant', 'bank', 'location']);
  if (kid === undefined)
    throw new CommandError(`--grant ${text_}: expected the KID of this tenant, of a bank or of a location of it`);
  if (kid.type === 'tenant') return { bankId: 0, locationId: 0 };
  return { bankId: kid.bankId, locationId: kid.type === 'location' ? kid.locationId : 0 };
}

async function readPassword(): Promise<string> {
  const password = await readLine();
  const length = [...password].length;
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
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal });
  for await (const line of lines) return line;
  return '';
}
