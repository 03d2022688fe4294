// Adds the commands of backups to the command line.

import { Option, type Command } from 'commander';
import { addCommand, type AddCommand } from './add-command.ts';
import type { BackupOptions, KeyFileOptions } from './backup.ts';
import { parseWholeNumber, repeatableOption } from './parse-option.ts';
import type { RestoreOptions } from './restore.ts';

const keyFileOption = ['--key-file <file>', 'encrypts it: a file with at least 32 random bytes'] as const;
const keyFileOfReader = ['--key-file <file>', 'the key file with which it was written'] as const;

const createKeptOption = (name: string, periods: string): Option =>
  new Option(`--keep-${name} <n>`, `keep the newest backup of each of so many ${periods}`).argParser(
    parseWholeNumber(0, 10_000),
  );

export const addBackupCommand: AddCommand = (root, withConfig) => {
  const backup = addCommand(root, 'backup', 'Write all data of a tenant to a file, while the service runs.')
    .argument('[file]', 'it must not exist; - is the standard output')
    .addOption(repeatableOption('--tenant <name>', 'the tenant; repeatable with --directory, which has all without it'))
    .option(...keyFileOption)
    .option('--directory <directory>', 'write TENANT-TIME.backup there instead of one file')
    .addOption(createKeptOption('daily', 'days'))
    .addOption(createKeptOption('weekly', 'weeks'))
    .addOption(createKeptOption('monthly', 'months'))
    // The subcommand has options of the same names.
    .enablePositionalOptions()
    .action(
      withConfig(async (config, file: string | undefined, options: BackupOptions) => {
        const { backup: run } = await import('./backup.ts');
        await run(config, file, options);
      }),
    );
  addCommand(backup, 'verify', 'Prove that a backup is whole and can be restored, without restoring it.')
    .argument('<file>', '- is the standard input')
    .option(...keyFileOfReader)
    .action(
      withConfig(async (_config, file: string, _options: KeyFileOptions, command: Command) => {
        const { printVerifiedBackup } = await import('./verify-backup.ts');
        await printVerifiedBackup(file, command.optsWithGlobals<KeyFileOptions>());
      }),
    );
};

export const addRestoreCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'restore', 'Restore a backup into an empty or missing database.')
    .argument('<file>', '- is the standard input')
    .requiredOption('--tenant <name>', 'the tenant, which must be the one of the backup')
    .option(...keyFileOfReader)
    .action(
      withConfig(async (config, file: string, options: RestoreOptions) => {
        const { restore } = await import('./restore.ts');
        await restore(config, file, options);
      }),
    );
};
