// The command line: reads the config and runs the command. A wrong option or setting is reported in one line, with exit
// code 2.

import { Command, CommanderError } from 'commander';
import { readConfig, unknownSettings, ConfigError } from '../config.ts';
import { version } from '../version.ts';
import type { ActionOf } from './add-command.ts';
import { commands } from './add-commands.ts';
import { listSubcommandsInHelp, requireKnownCommand } from './help.ts';
import { StorageError } from '../database/errors.ts';
import { CommandError } from './command-error.ts';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

export async function run(argv: readonly string[], environment: ProcessEnvironment): Promise<void> {
  try {
    const program = createProgram(environment);
    requireKnownCommand(program, argv.slice(2));
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

function createProgram(environment: ProcessEnvironment): Command {
  const root = new Command('portal')
    .description('The portal management service.')
    .version(version)
    .exitOverride()
    .showHelpAfterError(false)
    // Commander writes its suggestion on a line of its own.
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) });
  const actionOf: ActionOf =
    (load) =>
    async (...given) => {
      for (const variable of unknownSettings(environment))
        process.stderr.write(`warning: unknown setting ${variable}\n`);
      const config = readConfig(environment);
      // The last two are the options and the command. A command of a group also takes the options that stand before its name.
      const command = given.at(-1) as Command;
      const runCommand = await load();
      await runCommand(config, ...([...given.slice(0, -2), command.optsWithGlobals()] as never[]));
    };
  for (const addCommand of commands) addCommand(root, actionOf);
  listSubcommandsInHelp(root);
  return root;
}

/** Writes one line to standard error, and returns the exit code: 2 for wrong input, 1 for a failure. */
function reportError(error: unknown): number {
  // Commander has already written its line. Help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`error: ${formatError(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? 2 : 1;
}

/** One line for what an operator can fix, a stack for a defect. */
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
