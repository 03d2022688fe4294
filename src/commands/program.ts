// The command line: serve, migrate, demo, manager create, settle, verify, openapi. A wrong flag or value is one line,
// exit 2.

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ConfigError, readConfig, unknownSettings, type Config } from '../config.ts';
import { StorageError } from '../database/errors.ts';
import { parseUtcText } from '../lib/ms2000.ts';
import { version } from '../version.ts';
import { CommandError } from './command-error.ts';
import { createManager, type CreateManagerOptions } from './create-manager.ts';
import { fillWithDemo, type DemoOptions } from './demo.ts';
import { migrateAll } from './migrate.ts';
import { writeOpenApi } from './openapi.ts';
import { serve } from './serve.ts';
import { settle, type SettleOptions } from './settle.ts';
import { verifyAll } from './verify.ts';
import { verifyLedgers, type VerifyLedgerOptions } from './verify-ledger.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function run(argv: readonly string[], environment: Environment): Promise<void> {
  try {
    await program(environment).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  // Commander has printed its own line already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`error: ${inWords(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? 2 : 1;
}

/** One line for what an operator can mend; a stack for what only we can. */
function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const told = error instanceof ConfigError || error instanceof CommandError || error instanceof StorageError;
  // Errors of the system and of database servers carry a code.
  const known = told || typeof (error as NodeJS.ErrnoException).code === 'string' || 'errcode' in error;
  if (!known) return error.stack ?? error.message;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replaceAll(/\s*\n\s*/g, ' ');
}

function program(environment: Environment): Command {
  const root = new Command('portal')
    .description('The portal management service.')
    .version(version)
    .exitOverride()
    .showHelpAfterError(false)
    // Commander puts its suggestion on a line of its own.
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) });
  const configured =
    <Arguments extends unknown[]>(action: (config: Config, ...rest: Arguments) => Promise<void>) =>
    (...rest: Arguments): Promise<void> => {
      for (const variable of unknownSettings(environment))
        process.stderr.write(`warning: ${variable} is no setting of this service\n`);
      return action(readConfig(environment), ...rest);
    };
  const add = (parent: Command, name: string, description: string): Command =>
    parent.command(name).description(description).exitOverride().allowExcessArguments(false);

  add(root, 'serve', 'Serve the API.')
    .option('--demo', 'create demo data where there is none, accept the demo password, and keep the data moving')
    .action(configured((config, options: { demo?: boolean }) => serve(config, { demo: options.demo === true })));
  add(root, 'migrate', 'Create or update every tenant’s database.').action(configured((config) => migrateAll(config)));
  add(root, 'demo', 'Fill empty databases with demo data.')
    .addOption(
      new Option('--postings <n>', 'postings in each tenant’s first bank').argParser(wholeNumber(1, 50_000_000)),
    )
    .addOption(tenantOption())
    .action(configured((config, options: DemoOptions) => fillWithDemo(config, options)));
  const manager = add(root, 'manager', 'Manage managers.');
  add(manager, 'create', 'Create a manager; the password is read from standard input.')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--user-name <name>', 'what the manager logs in with')
    .option('--name <name>', 'the person’s display name', '')
    .option('--email <address>', 'email address', '')
    .option('--organisation <name>', 'organisation', '')
    .addOption(repeated('--tab <name>', 'an assigned Tab, or `all`; repeatable'))
    .addOption(repeated('--permission <area.flag>', 'such as Bank.Read, or `all`; repeatable'))
    .addOption(repeated('--grant <kid>', 'the KID of the tenant, a bank or a location; repeatable'))
    .action(configured((config, options: CreateManagerOptions) => createManager(config, options)));
  add(root, 'settle', 'Close a bank’s open settlement period and open the next.')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--bank <bank>', 'the bank’s number or KID')
    .addOption(
      new Option('--period <n>', 'the period expected to be open; if it is closed already, nothing is done').argParser(
        wholeNumber(1, 999_999_999),
      ),
    )
    .addOption(
      new Option('--through <instant>', 'when it ends, such as 2026-05-31T22:00:00Z (default: now)').argParser(instant),
    )
    .action(configured((config, options: SettleOptions) => settle(config, options)));
  const verify = add(root, 'verify', 'Recompute every roll-up from the postings and report any difference.')
    .addOption(tenantOption())
    // Its own options end where a subcommand begins, which has the same ones.
    .enablePositionalOptions()
    .action(configured((config, { tenant }: { tenant?: string[] }) => verifyAll(config, tenant)));
  add(verify, 'ledger', 'Prove every ledger: chain, reversals, periods, roll-ups; name the first row that is wrong.')
    .addOption(tenantOption())
    .option('--bank <bank>', 'only the bank with this number or KID')
    .action(
      configured((config, _options: VerifyLedgerOptions, command: Command) =>
        verifyLedgers(config, command.optsWithGlobals<VerifyLedgerOptions>()),
      ),
    );
  add(root, 'openapi', 'Write the three OpenAPI documents.')
    .requiredOption('--out <directory>', 'where to write them')
    .action(configured((config, { out }: { out: string }) => writeOpenApi(config, out)));
  return root;
}

const collect = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value];
const repeated = (flags: string, description: string): Option => new Option(flags, description).argParser(collect);
const tenantOption = (): Option => repeated('--tenant <name>', 'only this tenant; repeatable');

const instant = (value: string): number => {
  const ms2000 = parseUtcText(value);
  if (ms2000 === undefined) throw new InvalidArgumentError('Expected an instant such as 2026-05-31T22:00:00Z.');
  return ms2000;
};

const wholeNumber =
  (least: number, most: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d{1,9}$/.test(value) || number < least || number > most)
      throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
    return number;
  };
