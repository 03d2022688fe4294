// Adds the commands that import and export data to the command line.

import { Argument, Option, type Command } from 'commander';
import { importKindNames } from '../../features/import-kinds/rules/kind-names.ts';
import { addCommand, type AddCommand } from '../add-command.ts';
import { createTenantOption, parseWholeNumber, tenantOption } from '../parse-option.ts';

const bankOption = [
  '--bank <bank>',
  'the bank’s number or KID; of every kind but banks, installers and managers',
] as const;
const jsonOption = ['--json', 'print JSON, one object a line'] as const;

const createKindArgument = (): Argument => new Argument('<kind>', 'what its rows are').choices(importKindNames);

const addApplyOptions = (command: Command): Command =>
  command
    .requiredOption(...tenantOption)
    .option(
      '--partial',
      'apply what can be applied, in batches; without it all is applied in one transaction, or nothing',
    )
    .option(
      '--expect-missing <n>',
      'how many objects the file lacks, if these are more than 5 %',
      parseWholeNumber(0, 999_999_999),
    )
    .option(...jsonOption);

export const addImportCommands: AddCommand = (root, actionOf) => {
  const imports = addCommand(root, 'import', 'Load data from a file.');
  for (const kind of importKindNames)
    addApplyOptions(addCommand(imports, kind, `Plan an import of ${kind}, and apply it if asked.`))
      .argument('<file>', 'CSV, JSON Lines, or what the profile describes; - is the standard input')
      .option(...bankOption)
      .addOption(new Option('--plan', 'change nothing, and say what would be changed (the default)').conflicts('apply'))
      .option('--apply', 'apply the plan, unless rows are refused')
      .option('--profile <name>', 'the profile by which the file is read')
      .addOption(
        new Option('--missing <action>', 'what happens to objects that an earlier file had, and this one lacks')
          .choices(['keep', 'deactivate'])
          .default('keep'),
      )
      .action(actionOf(async () => (await import('./imports.ts')).importFileOf(kind)));
  addApplyOptions(addCommand(imports, 'apply', 'Apply a plan.'))
    .argument('<kid>', 'the KID of the import')
    .action(actionOf(async () => (await import('./imports.ts')).applyImportByCommand));
  addCommand(imports, 'undo', 'Take back what an import has applied, as far as nobody has changed it since.')
    .argument('<kid>', 'the KID of the import')
    .requiredOption(...tenantOption)
    .option(...jsonOption)
    .action(actionOf(async () => (await import('./imports.ts')).undoImportByCommand));
  addCommand(imports, 'template', 'Print the template of a file to import.')
    .addArgument(createKindArgument())
    .option('--tenant <name>', 'the tenant, whose country decides what separates the cells')
    .action(actionOf(async () => (await import('./imports.ts')).printTemplate));
  addCommand(imports, 'postal-codes', 'Load the cities of postal codes from a file of GeoNames (tab-separated).')
    .argument('<file>', 'such as DK.txt; it replaces what was imported of its countries before')
    .addOption(createTenantOption())
    .action(actionOf(async () => (await import('./import-postal-codes.ts')).importPostalCodes));
};

export const addExportCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'export', 'Print all objects of a kind as the CSV that an import reads.')
    .addArgument(createKindArgument())
    .requiredOption(...tenantOption)
    .option(...bankOption)
    .action(actionOf(async () => (await import('./imports.ts')).exportKind));
};

const parseSeconds = (minimum: number) => parseWholeNumber(minimum, 86_400);

export const addSyncCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'sync', 'Apply the files that another system leaves in a folder, and write exports for it.')
    .requiredOption(...tenantOption)
    .requiredOption('--source <directory>', 'where the files appear; it gets the folders done, failed and out')
    .option('--bank <bank>', 'the number or KID of the bank of what the config names none for')
    .option('--config <file>', 'which files there are, and of which kind (default: sync.json in the directory)')
    .option('--once', 'end when all files are done: exit code 1 if one was not')
    .option('--settle <seconds>', 'how long a file has to stay as it is to be complete', parseSeconds(0), 10)
    .option('--interval <seconds>', 'how often the directory is looked at', parseSeconds(1), 30)
    .option('--export-every <seconds>', 'how often exports are compared if no file came', parseSeconds(1), 900)
    .action(actionOf(async () => (await import('./sync.ts')).sync));
};
