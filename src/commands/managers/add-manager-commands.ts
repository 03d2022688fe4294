// Adds the commands on managers to the command line.

import { Option, type Command } from 'commander';
import { addCommand, type AddCommand } from '../add-command.ts';
import { repeatableOption, tenantOption } from '../parse-option.ts';

/** A command on the manager of a user name. */
const addUserCommand = (manager: Command, name: string, description: string): Command =>
  addCommand(manager, name, description)
    .requiredOption(...tenantOption)
    .requiredOption('--user-name <name>', 'user name for login');

const addRightsOptions = (command: Command): Command =>
  command
    .addOption(repeatableOption('--tab <name>', 'an assigned Tab, or `all`; repeatable'))
    .addOption(repeatableOption('--permission <area.flag>', 'such as Bank.Read, or `all`; repeatable'))
    .addOption(repeatableOption('--grant <kid>', 'the KID of the tenant, a bank or a location; repeatable'));

const forceOption = ['--force', 'even if nobody is left who can administer the managers of the tenant'] as const;

export const addManagerCommands: AddCommand = (root, actionOf) => {
  const manager = addCommand(root, 'manager', 'Manage managers.');
  addRightsOptions(
    addUserCommand(manager, 'create', 'Create a manager. The password is read from standard input.')
      .option('--name <name>', 'the person’s display name', '')
      .option('--email <address>', 'email address', '')
      .option('--organisation <name>', 'organisation', ''),
  ).action(actionOf(async () => (await import('./create-manager.ts')).createManager));
  addCommand(
    manager,
    'list',
    'List managers: KID, user name, active or inactive, tenant-wide or limited, role, when last seen, name.',
  )
    .requiredOption(...tenantOption)
    .addOption(new Option('--state <state>', 'whom').choices(['active', 'inactive', 'all']).default('all'))
    .action(actionOf(async () => (await import('./list-managers.ts')).printManagers));
  addUserCommand(manager, 'activate', 'Let a manager log in again.').action(
    actionOf(async () => (await import('./change-manager.ts')).activateManager),
  );
  addUserCommand(manager, 'deactivate', 'Stop a manager from logging in, and end all sessions.')
    .option(...forceOption)
    .action(actionOf(async () => (await import('./change-manager.ts')).deactivateManager));
  addUserCommand(
    manager,
    'reset-password',
    'Give a manager a new password, which is read from standard input, and end all sessions.',
  ).action(actionOf(async () => (await import('./change-manager.ts')).resetManagerPassword));
  addRightsOptions(addUserCommand(manager, 'grant', 'Add Tabs, permissions and grants to a manager, or remove them.'))
    .addOption(
      repeatableOption('--remove-tab <name>', 'a Tab to remove, or `all`, before others are added; repeatable'),
    )
    .addOption(repeatableOption('--remove-permission <area.flag>', 'a permission to remove, or `all`; repeatable'))
    .addOption(repeatableOption('--remove-grant <kid>', 'a grant to remove; repeatable'))
    .option(...forceOption)
    .action(actionOf(async () => (await import('./change-manager.ts')).grantManager));
};
