// Adds the commands on managers to the command line.

import { Option, type Command } from 'commander';
import { addCommand, type AddCommand } from '../add-command.ts';
import type { GrantManagerOptions, ManagerOptions } from './change-manager.ts';
import type { CreateManagerOptions } from './create-manager-options.ts';
import type { ListManagersOptions } from './list-managers.ts';
import { repeatableOption } from '../parse-option.ts';

const addTab = (): Option => repeatableOption('--tab <name>', 'an assigned Tab, or `all`; repeatable');
const addPermission = (): Option =>
  repeatableOption('--permission <area.flag>', 'such as Bank.Read, or `all`; repeatable');
const addGrant = (): Option =>
  repeatableOption('--grant <kid>', 'the KID of the tenant, a bank or a location; repeatable');

const addCreateCommand: AddCommand = (manager, withConfig) => {
  addCommand(manager, 'create', 'Create a manager. The password is read from standard input.')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--user-name <name>', 'user name for login')
    .option('--name <name>', 'the person’s display name', '')
    .option('--email <address>', 'email address', '')
    .option('--organisation <name>', 'organisation', '')
    .addOption(addTab())
    .addOption(addPermission())
    .addOption(addGrant())
    .action(
      withConfig(async (config, options: CreateManagerOptions) => {
        const { createManager } = await import('./create-manager.ts');
        await createManager(config, options);
      }),
    );
};

const addListCommand: AddCommand = (manager, withConfig) => {
  addCommand(
    manager,
    'list',
    'List managers: KID, user name, active or inactive, tenant-wide or limited, role, when last seen, name.',
  )
    .requiredOption('--tenant <name>', 'the tenant')
    .addOption(new Option('--state <state>', 'whom').choices(['active', 'inactive', 'all']).default('all'))
    .action(
      withConfig(async (config, options: ListManagersOptions) => {
        const { printManagers } = await import('./list-managers.ts');
        await printManagers(config, options);
      }),
    );
};

/** A command that changes the manager of a user name. */
const addChangeCommand = (manager: Command, name: string, description: string): Command =>
  addCommand(manager, name, description)
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--user-name <name>', 'user name for login');

const forceOption = ['--force', 'even if nobody is left who can administer the managers of the tenant'] as const;

const addActivityCommands: AddCommand = (manager, withConfig) => {
  addChangeCommand(manager, 'activate', 'Let a manager log in again.').action(
    withConfig(async (config, options: ManagerOptions) => {
      const { activateManager } = await import('./change-manager.ts');
      await activateManager(config, options);
    }),
  );
  addChangeCommand(manager, 'deactivate', 'Stop a manager from logging in, and end all sessions.')
    .option(...forceOption)
    .action(
      withConfig(async (config, options: ManagerOptions) => {
        const { deactivateManager } = await import('./change-manager.ts');
        await deactivateManager(config, options);
      }),
    );
};

const addPasswordCommand: AddCommand = (manager, withConfig) => {
  addChangeCommand(
    manager,
    'reset-password',
    'Give a manager a new password, which is read from standard input, and end all sessions.',
  ).action(
    withConfig(async (config, options: ManagerOptions) => {
      const { resetManagerPassword } = await import('./change-manager.ts');
      await resetManagerPassword(config, options);
    }),
  );
};

const addGrantCommand: AddCommand = (manager, withConfig) => {
  addChangeCommand(manager, 'grant', 'Add Tabs, permissions and grants to a manager, or remove them.')
    .addOption(addTab())
    .addOption(addPermission())
    .addOption(addGrant())
    .addOption(
      repeatableOption('--remove-tab <name>', 'a Tab to remove, or `all`, before others are added; repeatable'),
    )
    .addOption(repeatableOption('--remove-permission <area.flag>', 'a permission to remove, or `all`; repeatable'))
    .addOption(repeatableOption('--remove-grant <kid>', 'a grant to remove; repeatable'))
    .option(...forceOption)
    .action(
      withConfig(async (config, options: GrantManagerOptions) => {
        const { grantManager } = await import('./change-manager.ts');
        await grantManager(config, options);
      }),
    );
};

export const addManagerCommands: AddCommand = (root, withConfig) => {
  const manager = addCommand(root, 'manager', 'Manage managers.');
  addCreateCommand(manager, withConfig);
  addListCommand(manager, withConfig);
  addActivityCommands(manager, withConfig);
  addPasswordCommand(manager, withConfig);
  addGrantCommand(manager, withConfig);
};
