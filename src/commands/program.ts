// The command line: reads the config and runs the command. A wrong option or setting is reported in one line, with exit
// code 2.

import { Command } from 'commander';
import { readConfig, unknownSettings } from '../config.ts';
import { version } from '../version.ts';
import type { WithConfig } from './add-command.ts';
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
  const withConfig: WithConfig =
    (action) =>
    (...rest) => {
      for (const variable of unknownSettings(environment))
        process.stderr.write(`warning: unknown setting ${variable}\n`);
      return action(readConfig(environment), ...rest);
    };
  for (const addCommand of commands) addCommand(root, withConfig);
  listSubcommandsInHelp(root);
  return root;
}
