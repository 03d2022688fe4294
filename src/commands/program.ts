// The command line: serve, migrate, demo, manager create, settle, verify, openapi. A wrong flag or value is one line,
// exit 2.

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ConfigError, readConfig, unknownSettings, type Config } from '../config.ts';
import { StorageError } from '../database/errors.ts';
import { parseUtc } from '../lib/ms2000.ts';
import { version } from '../version.ts';
import { CommandError } from './command-error.ts';
import { createManager, type CreateManagerOptions } from './create-manager.ts';
import { createDemoData, type DemoOptions } from './demo.ts';
import { migrateTenants } from './migrate.ts';
import { writeOpenApiDocuments } from './openapi.ts';
import { serve } from './serve.ts';
import { settle, type SettleOptions } from './settle.ts';
import { verifyRollups } from './verify-rollups.ts';
import { verifyLedgers, type VerifyLedgerOptions } from './verify-ledger.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function run(argv: readonly string[], environment: Environment): Promise<void> {
  try {
    await createProgram(environment).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

function reportError(error: unknown): number {
  // Commander has printed its own line already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`error: ${formatError(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? 2 : 1;
}

/** One line for what an operator can mend; a stack for what only we can. */
function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOperatorError =
    error instanceof ConfigError || error instanceof CommandError || error instanceof StorageError;
  // Errors of the system and of database servers carry a code.
  const isExpected = isOperatorError || typeof (error as NodeJS.ErrnoException).code === 'string' || 'errcode' in error;
  if (!isExpected) return error.stack ?? error.message;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replaceAll(/\s*\n\s*/g, ' ');
}

function createProgram(environment: Environment): Command {
  const root = new Command('portal')
    .description('The portal management service.')
    .version(version)
    .exitOverride()
    .showHelpAfterError(false)
    // Commander puts its suggestion on a line of its own.
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) });
  const withConfig =
    <Arguments extends unknown[]>(action: (config: Config, ...rest: Arguments) => Promise<void>) =>
    (...rest: Arguments): Promise<void> => {
      for (const variable of unknownSettings(environment))
        process.stderr.write(`warning: ${variable} is no setting of this service\n`);
      return action(readConfig(environment), ...rest);
    };
  const addCommand = (parent: Command, name: string, description: string): Command =>
    parent.command(name).description(description).exitOverride().allowExcessArguments(false);

  addCommand(root, 'serve', 'Serve the API.')
    .option('--demo', 'create demo data where there is none, accept the demo password, and keep the data moving')
    .action(withConfig((config, options: { demo?: boolean }) => serve(config, { demo: options.demo === true })));
  addCommand(root, 'migrate', 'Create or update every tenant’s database.').action(
    withConfig((config) => migrateTenants(config)),
  );
  addCommand(root, 'demo', 'Fill empty databases with demo data.')
    .addOption(
      new Option('--postings <n>', 'postings in each tenant’s first bank').argParser(parseWholeNumber(1, 50_000_000)),
    )
    .addOption(createTenantOption())
    .action(withConfig((config, options: DemoOptions) => createDemoData(config, options)));
  const manager = addCommand(root, 'manager', 'Manage managers.');
  addCommand(manager, 'create', 'Create a manager; the password is read from standard input.')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--user-name <name>', 'what the manager logs in with')
    .option('--name <name>', 'the person’s display name', '')
    .option('--email <address>', 'email address', '')
    .option('--organisation <name>', 'organisation', '')
    .addOption(repeatableOption('--tab <name>', 'an assigned Tab, or `all`; repeatable'))
    .addOption(repeatableOption('--permission <area.flag>', 'such as Bank.Read, or `all`; repeatable'))
    .addOption(repeatableOption('--grant <kid>', 'the KID of the tenant, a bank or a location; repeatable'))
    .action(withConfig((config, options: CreateManagerOptions) => createManager(config, options)));
  addCommand(root, 'settle', 'Close a bank’s open settlement period and open the next.')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--bank <bank>', 'the bank’s number or KID')
    .addOption(
      new Option('--period <n>', 'the period expected to be open; if it is closed already, nothing is done').argParser(
        parseWholeNumber(1, 999_999_999),
      ),
    )
    .addOption(
      new Option('--through <instant>', 'when it ends, such as 2026-05-31T22:00:00Z (default: now)').argParser(
        parseInstant,
      ),
    )
    .action(withConfig((config, options: SettleOptions) => settle(config, options)));
  const verify = addCommand(root, 'verify', 'Recompute every roll-up from the postings and report any difference.')
    .addOption(createTenantOption())
    // Its own options end where a subcommand begins, which has the same ones.
    .enablePositionalOptions()
    .action(withConfig((config, { tenant }: { tenant?: string[] }) => verifyRollups(config, tenant)));
  addCommand(
    verify,
    'ledger',
    'Prove every ledger: chain, reversals, periods, roll-ups; name the first row that is wrong.',
  )
    .addOption(createTenantOption())
    .option('--bank <bank>', 'only the bank with this number or KID')
    .action(
      withConfig((config, _options: VerifyLedgerOptions, command: Command) =>
        verifyLedgers(config, command.optsWithGlobals<VerifyLedgerOptions>()),
      ),
    );
  addCommand(root, 'openapi', 'Write the three OpenAPI documents.')
    .requiredOption('--out <directory>', 'where to write them')
    .action(withConfig((config, { out }: { out: string }) => writeOpenApiDocuments(config, out)));
  return root;
}

const collectValues = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value];
const repeatableOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser(collectValues);
const createTenantOption = (): Option => repeatableOption('--tenant <name>', 'only this tenant; repeatable');

const parseInstant = (value: string): number => {
  const ms2000 = parseUtc(value);
  if (ms2000 === undefined) throw new InvalidArgumentError('Expected an instant such as 2026-05-31T22:00:00Z.');
  return ms2000;
};

const parseWholeNumber =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d{1,9}$/.test(value) || number < minimum || number > maximum)
      throw new InvalidArgumentError(`Expected a whole number from ${minimum} to ${maximum}.`);
    return number;
  };
