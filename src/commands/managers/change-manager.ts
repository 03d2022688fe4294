// Changes a manager from the command line: `manager activate`, `deactivate`, `reset-password` and `grant`.

import type { Config } from '../../config.ts';
import { createPasswordHasher } from '../../features/passwords/process/password-hasher.ts';
import { findManagerEmail } from '../../features/managers/queries/manager-credentials.ts';
import { normalizeUserName } from '../../features/managers/rules/user-name.ts';
import {
  changeManager,
  ManagerRefusedError,
  type ChangeManagerInput,
} from '../../features/manager-administration/commands/change-manager.ts';
import {
  amendRights,
  type GrantTarget,
  type RightsAmendment,
} from '../../features/manager-administration/rules/manager-state.ts';
import { formatKid } from '../../lib/kid.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { CommandError } from '../command-error.ts';
import { parseGrants, parsePermissions, parseTabs } from './manager-rights-options.ts';
import { readPassword } from './read-password.ts';
import { selectTenant } from '../select-tenants.ts';
import { changeTenant, withTenant } from '../storage-failures.ts';
import { warnOfMissingPlaces } from '../serve/warn-of-missing-places.ts';

type ManagerOptions = { readonly tenant: string; readonly userName: string; readonly force?: boolean };

type GrantManagerOptions = ManagerOptions & {
  readonly tab?: string[];
  readonly permission?: string[];
  readonly grant?: string[];
  readonly removeTab?: string[];
  readonly removePermission?: string[];
  readonly removeGrant?: string[];
};

const deadlineMs = 10_000;

export const activateManager = (config: Config, options: ManagerOptions): Promise<void> =>
  runChange(config, options, {
    command: 'manager activate',
    change: (current) => ({ ...current, isActive: true }),
    done: 'active',
  });

export const deactivateManager = (config: Config, options: ManagerOptions): Promise<void> =>
  runChange(config, options, {
    command: 'manager deactivate',
    change: (current) => ({ ...current, isActive: false }),
    done: 'inactive',
  });

export async function resetManagerPassword(config: Config, options: ManagerOptions): Promise<void> {
  const tenant = selectTenant(config.tenants, options.tenant);
  const email = await withTenant(config, tenant.name, (database) =>
    database.read({ deadlineMs }, (db) => findManagerEmail(db, normalizeUserName(options.userName))),
  );
  // Without such a manager there is no address: the change itself reports that.
  const ownWords = [options.userName, email ?? '', tenant.name, tenant.displayName];
  const passwordHash = await createPasswordHasher().hash(await readPassword(ownWords));
  await runChange(config, options, {
    command: 'manager reset-password',
    change: (current) => current,
    passwordHash,
    done: 'has a new password',
  });
}

export async function grantManager(config: Config, options: GrantManagerOptions): Promise<void> {
  const { name } = selectTenant(config.tenants, options.tenant);
  const added: RightsAmendment = {
    tabs: parseTabs(options.tab),
    permissions: parsePermissions(options.permission),
    places: parseGrants(options.grant, name),
  };
  const removed: RightsAmendment = {
    tabs: parseTabs(options.removeTab, '--remove-tab'),
    permissions: parsePermissions(options.removePermission, '--remove-permission'),
    places: parseGrants(options.removeGrant, name, '--remove-grant'),
  };
  const isNothing = [added, removed].every((each) => Object.values(each).every(({ length }) => length === 0));
  if (isNothing) throw new CommandError('name at least one Tab, permission or grant to add or to remove');
  await runChange(config, options, {
    command: 'manager grant',
    change: (current) => amendRights(current, { added, removed }),
    granted: added.places,
    done: 'has the new rights',
  });
}

type Change = Pick<ChangeManagerInput, 'command' | 'change' | 'passwordHash'> & {
  readonly granted?: readonly GrantTarget[];
  readonly done: string;
};

async function runChange(
  config: Config,
  options: ManagerOptions,
  { done, granted = [], ...change }: Change,
): Promise<void> {
  const { name: tenant } = selectTenant(config.tenants, options.tenant);
  const { userName, force: isForced = false } = options;
  const input = { ...change, tenant, userName, isForced, deadlineMs, clock: () => toMs2000(Date.now()) };
  await changeTenant(config, { tenant, done: 'the manager was changed' }, async (database) => {
    const { managerId, isChanged } = await changeManager(database, input).catch((error: unknown) => {
      throw error instanceof ManagerRefusedError ? createRefusal(error.reason, userName) : error;
    });
    const kid = formatKid({ type: 'manager', tenant, managerId });
    process.stdout.write(`${kid}: ${isChanged ? done : `${done} already; nothing was changed`}\n`);
    await warnOfMissingPlaces(database, tenant, granted);
  });
}

function createRefusal(reason: ManagerRefusedError['reason'], userName: string): CommandError {
  switch (reason) {
    case 'unknown-manager':
      return new CommandError(`--user-name ${userName}: there is no such manager`);
    case 'last-administrator':
      return new CommandError(
        `${userName} is the last who can administer the managers of the tenant: --force does it all the same`,
        1,
      );
    case 'changed-meanwhile':
      return new CommandError('another change of the manager came first: run it again', 1);
  }
}
