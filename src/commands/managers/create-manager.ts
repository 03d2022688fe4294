// `manager create`: creates a manager, such as the first one of a new deployment.

import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import { DuplicateError } from '../../database/errors.ts';
import { takeLocks } from '../../database/locks.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { tenantAuditLock } from '../../features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../features/audit/rules/audit-context.ts';
import { createPasswordHasher } from '../../features/passwords/process/password-hasher.ts';
import { findManagerCredentials } from '../../features/managers/queries/manager-credentials.ts';
import { recordNewManagers } from '../../features/manager-administration/record-managers.ts';
import { readNextManagerId, type InsertManagerInput } from '../../features/managers/queries/insert-managers.ts';
import { managerRightsLock } from '../../features/managers/queries/rights-lock.ts';
import { normalizeUserName, parseUserName } from '../../features/managers/rules/user-name.ts';
import { formatKid } from '../../lib/kid.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { CommandError } from '../command-error.ts';
import { readPassword } from './read-password.ts';
import { selectTenant } from '../select-tenants.ts';
import { changeTenant } from '../storage-failures.ts';
import { warnOfMissingPlaces } from '../serve/warn-of-missing-places.ts';
import { parseGrants, parsePermissions, parseTabs } from './manager-rights-options.ts';

const deadlineMs = 10_000;
const maxInsertAttempts = 10;

export async function createManager(config: Config, options: CreateManagerOptions): Promise<void> {
  const tenant = selectTenant(config.tenants, options.tenant);
  const parsed = parseManagerOptions(options, tenant.name);
  const passwordHash = await createPasswordHasher().hash(
    await readPassword([parsed.userName, parsed.email, tenant.name, tenant.displayName]),
  );
  const manager = { ...parsed, personIcon: 'person', passwordHash, credentialStamp: randomUUID() };
  await changeTenant(config, { tenant: tenant.name, done: 'the manager was created' }, async (database) => {
    const managerId = await insertWithRetry(database, tenant.name, { ...manager, active: true, retentionDays: null });
    process.stdout.write(`${formatKid({ type: 'manager', tenant: tenant.name, managerId })}\n`);
    await warnOfMissingPlaces(database, tenant.name, parsed.grants);
  });
}

/** Another process may take the same id or the same user name in the meantime: the next attempt finds out which. */
async function insertWithRetry(
  database: TenantDatabase,
  tenant: string,
  manager: Omit<InsertManagerInput, 'managerId'>,
): Promise<number> {
  const insert = (): Promise<number> =>
    database.write({ deadlineMs }, async (db) => {
      await takeLocks(db, [tenantAuditLock(), managerRightsLock()]);
      const taken = await findManagerCredentials(db, normalizeUserName(manager.userName));
      if (taken !== undefined) throw new CommandError(`the user name ${manager.userName} is taken`, 1);
      const managerId = await readNextManagerId(db);
      const actor = createOperatorAuditContext('manager create', () => toMs2000(Date.now()));
      await recordNewManagers(db, actor, tenant, [{ ...manager, managerId }]);
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

type CreateManagerOptions = {
  readonly tenant: string;
  readonly userName: string;
  readonly name: string;
  readonly email: string;
  readonly organisation: string;
  readonly tab?: string[];
  readonly permission?: string[];
  readonly grant?: string[];
};

type ParsedManager = Pick<
  InsertManagerInput,
  'userName' | 'name' | 'email' | 'organisation' | 'tabs' | 'permissions' | 'grants'
>;

/** Throws CommandError. */
function parseManagerOptions(options: CreateManagerOptions, tenant: string): ParsedManager {
  const parsed = parseUserName(options.userName);
  if ('reason' in parsed) throw new CommandError(`--user-name ${parsed.reason}`);
  const { value: userName } = parsed;
  return {
    userName,
    name: parseLine('--name', options.name, 200) || userName,
    email: parseLine('--email', options.email, 254),
    organisation: parseLine('--organisation', options.organisation, 200),
    tabs: parseTabs(options.tab),
    permissions: parsePermissions(options.permission),
    grants: parseGrants(options.grant, tenant),
  };
}

/** One line of text, without the spaces around it. */
function parseLine(flag: string, given: string, maxLength: number): string {
  const text = given.trim();
  if (text.length > maxLength || /\p{Cc}/u.test(text))
    throw new CommandError(`${flag} must have 0 to ${maxLength} characters, none of them a control character`);
  return text;
}
