// Adds the commands of backups to the command line.

import { Option, type Command } from 'commander';
import { addCommand, type AddCommand } from '../add-command.ts';
import type { BackupOptions, KeyFileOptions } from './backup.ts';
import type { FollowOptions } from './follow-databases.ts';
import { createTenantOption, parseInstant, parseWholeNumber, repeatableOption } from '../parse-option.ts';
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
  addFollowCommand(backup, withConfig);
  addCommand(backup, 'verify', 'Prove that a backup is whole and can be restored, without restoring it.')
    .argument('<file>', '- is the standard input; or the folder of a tenant that `backup follow` writes')
    .option(...keyFileOfReader)
    .action(
      withConfig(async (_config, file: string, _options: KeyFileOptions, command: Command) => {
        const { printVerifiedBackup } = await import('./verify-backup.ts');
        await printVerifiedBackup(file, command.optsWithGlobals<KeyFileOptions>());
      }),
    );
};

const addFollowCommand: AddCommand = (backup, withConfig) => {
  addCommand(backup, 'follow', 'Copy continuously what is committed, until it is stopped. Only for SQLite.')
    .argument('<directory>', 'an existing one, on another disk; it gets a folder for each tenant')
    .addOption(createTenantOption())
    .option(...keyFileOption)
    .addOption(
      new Option('--interval <seconds>', 'what was committed in so many may be lost (default: 1)').argParser(
        parseWholeNumber(1, 3600),
      ),
    )
    .addOption(
      new Option('--keep-days <n>', 'remove what is not needed to restore a moment of so many days').argParser(
        parseWholeNumber(1, 10_000),
      ),
    )
    .addOption(
      new Option(
        '--max-wal <mebibytes>',
        'how long the -wal file may become while nothing can be copied (default: 1024)',
      ).argParser(parseWholeNumber(64, 1_048_576)),
    )
    .action(
      withConfig(async (config, directory: string, _options: FollowOptions, command: Command) => {
        const { followDatabases } = await import('./follow-databases.ts');
        await followDatabases(config, directory, command.optsWithGlobals<FollowOptions>());
      }),
    );
};

export const addRestoreCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'restore', 'Restore a backup, or a moment, into an empty or missing database.')
    .argument('<file>', '- is the standard input; or the folder of a tenant that `backup follow` writes')
    .addOption(new Option('--at <time>', 'the moment, of such a folder; the newest without it').argParser(parseInstant))
    .requiredOption('--tenant <name>', 'the tenant, which must be the one of the backup')
    .option(...keyFileOfReader)
    .action(
      withConfig(async (config, file: string, options: RestoreOptions) => {
        const { restore } = await import('./restore.ts');
        await restore(config, file, options);
      }),
    );
};
