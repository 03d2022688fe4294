// The command line: reads the config and runs the command. A wrong option or setting is reported in one line, with exit
// code 2.

import { Command } from 'commander';
import { readConfig, unknownSettings } from '../config.ts';
import { version } from '../version.ts';
import type { ActionOf } from './add-command.ts';
import { commands } from './add-commands.ts';
import { listSubcommandsInHelp, requireKnownCommand } from './help.ts';
import { reportError } from './report-error.ts';

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
