// Adds the commands of backups to the command line.

import { addCommand, type AddCommand } from '../add-command.ts';
import { createTenantOption, parseInstant, parseWholeNumber, repeatableOption } from '../parse-option.ts';

const keyFileOption = ['--key-file <file>', 'encrypts it: a file with at least 32 random bytes'] as const;
const keyFileOfReader = ['--key-file <file>', 'the key file with which it was written'] as const;

const keptOption = (name: string, periods: string) =>
  [`--keep-${name} <n>`, `keep the newest backup of each of so many ${periods}`, parseWholeNumber(0, 10_000)] as const;

export const addBackupCommand: AddCommand = (root, actionOf) => {
  const backup = addCommand(root, 'backup', 'Write all data of a tenant to a file, while the service runs.')
    .argument('[file]', 'it must not exist; - is the standard output')
    .addOption(repeatableOption('--tenant <name>', 'the tenant; repeatable with --directory, which has all without it'))
    .option(...keyFileOption)
    .option('--directory <directory>', 'write TENANT-TIME.backup there instead of one file')
    .option(...keptOption('daily', 'days'))
    .option(...keptOption('weekly', 'weeks'))
    .option(...keptOption('monthly', 'months'))
    // The subcommand has options of the same names.
    .enablePositionalOptions()
    .action(actionOf(async () => (await import('./backup.ts')).backup));
  addFollowCommand(backup, actionOf);
  addCommand(backup, 'verify', 'Prove that a backup is whole and can be restored, without restoring it.')
    .argument('<file>', '- is the standard input; or the folder of a tenant that `backup follow` writes')
    .option(...keyFileOfReader)
    .action(actionOf(async () => (await import('./verify-backup.ts')).printVerifiedBackup));
};

const addFollowCommand: AddCommand = (backup, actionOf) => {
  addCommand(backup, 'follow', 'Copy continuously what is committed, until it is stopped. Only for SQLite.')
    .argument('<directory>', 'an existing one, on another disk; it gets a folder for each tenant')
    .addOption(createTenantOption())
    .option(...keyFileOption)
    .option('--interval <seconds>', 'what was committed in so many may be lost (default: 1)', parseWholeNumber(1, 3600))
    .option(
      '--keep-days <n>',
      'remove what is not needed to restore a moment of so many days',
      parseWholeNumber(1, 10_000),
    )
    .option(
      '--max-wal <mebibytes>',
      'how long the -wal file may become while nothing can be copied (default: 1024)',
      parseWholeNumber(64, 1_048_576),
    )
    .action(actionOf(async () => (await import('./follow-databases.ts')).followDatabases));
};

export const addRestoreCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'restore', 'Restore a backup, or a moment, into an empty or missing database.')
    .argument('<file>', '- is the standard input; or the folder of a tenant that `backup follow` writes')
    .option('--at <time>', 'the moment, of such a folder; the newest without it', parseInstant)
    .requiredOption('--tenant <name>', 'the tenant, which must be the one of the backup')
    .option(...keyFileOfReader)
    .action(actionOf(async () => (await import('./restore.ts')).restore));
};
