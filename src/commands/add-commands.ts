// Adds the commands to the command line: their options, and the functions that run them.

import { Option, type Command } from 'commander';
import type { Config } from '../config.ts';
import type { CreateManagerOptions } from './create-manager-options.ts';
import { createManager } from './create-manager.ts';
import { createDemoData, type DemoOptions } from './demo.ts';
import { migrateTenants } from './migrate.ts';
import { writeOpenApiDocuments } from './openapi.ts';
import { createTenantOption, parseInstant, parseWholeNumber, repeatableOption } from './parse-option.ts';
import { serve } from './serve.ts';
import { settle, type SettleOptions } from './settle.ts';
import { verifyLedgers, type VerifyLedgerOptions } from './verify-ledger.ts';
import { verifyRollups } from './verify-rollups.ts';

/** Makes the action of a command from a function that takes the config first. */
export type WithConfig = <Arguments extends unknown[]>(
  action: (config: Config, ...rest: Arguments) => Promise<void>,
) => (...rest: Arguments) => Promise<void>;

type AddCommand = (root: Command, withConfig: WithConfig) => void;

const addCommand = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).exitOverride().allowExcessArguments(false);

const addServeCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'serve', 'Serve the API.')
    .option('--demo', 'create demo data in empty databases, accept the demo password, and change the data over time')
    .action(withConfig((config, options: { demo?: boolean }) => serve(config, { demo: options.demo === true })));
};

const addMigrateCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'migrate', 'Create or update every tenant’s database.').action(
    withConfig((config) => migrateTenants(config)),
  );
};

const addDemoCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'demo', 'Fill empty databases with demo data.')
    .addOption(
      new Option('--postings <n>', 'postings in each tenant’s first bank').argParser(parseWholeNumber(1, 50_000_000)),
    )
    .addOption(createTenantOption())
    .action(withConfig((config, options: DemoOptions) => createDemoData(config, options)));
};

const addManagerCommand: AddCommand = (root, withConfig) => {
  const manager = addCommand(root, 'manager', 'Manage managers.');
  addCommand(manager, 'create', 'Create a manager. The password is read from standard input.')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--user-name <name>', 'user name for login')
    .option('--name <name>', 'the person’s display name', '')
    .option('--email <address>', 'email address', '')
    .option('--organisation <name>', 'organisation', '')
    .addOption(repeatableOption('--tab <name>', 'an assigned Tab, or `all`; repeatable'))
    .addOption(repeatableOption('--permission <area.flag>', 'such as Bank.Read, or `all`; repeatable'))
    .addOption(repeatableOption('--grant <kid>', 'the KID of the tenant, a bank or a location; repeatable'))
    .action(withConfig((config, options: CreateManagerOptions) => createManager(config, options)));
};

const addSettleCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'settle', 'Close a bank’s open settlement period and open the next.')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--bank <bank>', 'the bank’s number or KID')
    .addOption(
      new Option('--period <n>', 'the period expected to be open; if it is already closed, nothing is done').argParser(
        parseWholeNumber(1, 999_999_999),
      ),
    )
    .addOption(
      new Option('--through <instant>', 'when it ends, such as 2026-05-31T22:00:00Z (default: now)').argParser(
        parseInstant,
      ),
    )
    .action(withConfig((config, options: SettleOptions) => settle(config, options)));
};

const addVerifyCommand: AddCommand = (root, withConfig) => {
  const verify = addCommand(root, 'verify', 'Recompute every roll-up from the postings and report any difference.')
    .addOption(createTenantOption())
    // The subcommand has the same options: those of this command end before its name.
    .enablePositionalOptions()
    .action(withConfig((config, { tenant }: { tenant?: string[] }) => verifyRollups(config, tenant)));
  addCommand(
    verify,
    'ledger',
    'Check every ledger (chain, reversals, periods, roll-ups) and report the first wrong row of each kind.',
  )
    .addOption(createTenantOption())
    .option('--bank <bank>', 'only the bank with this number or KID')
    .action(
      withConfig((config, _options: VerifyLedgerOptions, command: Command) =>
        verifyLedgers(config, command.optsWithGlobals<VerifyLedgerOptions>()),
      ),
    );
};

const addOpenApiCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'openapi', 'Write the three OpenAPI documents.')
    .requiredOption('--out <directory>', 'where to write them')
    .action(withConfig((config, { out }: { out: string }) => writeOpenApiDocuments(config, out)));
};

/** In the order of the help. */
export const commands: readonly AddCommand[] = [
  addServeCommand,
  addMigrateCommand,
  addDemoCommand,
  addManagerCommand,
  addSettleCommand,
  addVerifyCommand,
  addOpenApiCommand,
];
