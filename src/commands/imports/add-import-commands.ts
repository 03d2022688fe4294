// Adds the commands that import and export data to the command line.

import { Argument, Option, type Command } from 'commander';
import { importKindNames, type ImportKindName } from '../../features/import-kinds/rules/kind-names.ts';
import { addCommand, type AddCommand } from '../add-command.ts';
import type { ImportPostalCodesOptions } from './import-postal-codes.ts';
import type { ApplyImportOptions, ExportOptions, ImportFileOptions, UndoImportOptions } from './imports.ts';
import { createTenantOption, parseWholeNumber } from '../parse-option.ts';
import type { SyncOptions } from './sync.ts';

const tenantOption = ['--tenant <name>', 'the tenant'] as const;
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
    .addOption(
      new Option('--expect-missing <n>', 'how many objects the file lacks, if these are more than 5 %').argParser(
        parseWholeNumber(0, 999_999_999),
      ),
    )
    .option(...jsonOption);

export const addImportCommands: AddCommand = (root, withConfig) => {
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
      .action(
        withConfig(async (config, file: string, options: ImportFileOptions) => {
          const { importFile } = await import('./imports.ts');
          await importFile(config, kind, file, options);
        }),
      );
  addApplyOptions(addCommand(imports, 'apply', 'Apply a plan.'))
    .argument('<kid>', 'the KID of the import')
    .action(
      withConfig(async (config, kid: string, options: ApplyImportOptions) => {
        const { applyImportByCommand } = await import('./imports.ts');
        await applyImportByCommand(config, kid, options);
      }),
    );
  addCommand(imports, 'undo', 'Take back what an import has applied, as far as nobody has changed it since.')
    .argument('<kid>', 'the KID of the import')
    .requiredOption(...tenantOption)
    .option(...jsonOption)
    .action(
      withConfig(async (config, kid: string, options: UndoImportOptions) => {
        const { undoImportByCommand } = await import('./imports.ts');
        await undoImportByCommand(config, kid, options);
      }),
    );
  addCommand(imports, 'template', 'Print the template of a file to import.')
    .addArgument(createKindArgument())
    .option('--tenant <name>', 'the tenant, whose country decides what separates the cells')
    .action(
      withConfig(async (config, kind: ImportKindName, options: { readonly tenant?: string }) => {
        const { printTemplate } = await import('./imports.ts');
        printTemplate(config, kind, options);
      }),
    );
  addCommand(imports, 'postal-codes', 'Load the cities of postal codes from a file of GeoNames (tab-separated).')
    .argument('<file>', 'such as DK.txt; it replaces what was imported of its countries before')
    .addOption(createTenantOption())
    .action(
      withConfig(async (config, file: string, options: ImportPostalCodesOptions) => {
        const { importPostalCodes } = await import('./import-postal-codes.ts');
        await importPostalCodes(config, file, options);
      }),
    );
};

export const addExportCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'export', 'Print all objects of a kind as the CSV that an import reads.')
    .addArgument(createKindArgument())
    .requiredOption(...tenantOption)
    .option(...bankOption)
    .action(
      withConfig(async (config, kind: ImportKindName, options: ExportOptions) => {
        const { exportKind } = await import('./imports.ts');
        await exportKind(config, kind, options);
      }),
    );
};

const secondsOption = (flags: string, description: string, seconds: number, minimum = 1): Option =>
  new Option(flags, description).argParser(parseWholeNumber(minimum, 86_400)).default(seconds);

export const addSyncCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'sync', 'Apply the files that another system leaves in a folder, and write exports for it.')
    .requiredOption(...tenantOption)
    .requiredOption('--source <directory>', 'where the files appear; it gets the folders done, failed and out')
    .option('--bank <bank>', 'the number or KID of the bank of what the config names none for')
    .option('--config <file>', 'which files there are, and of which kind (default: sync.json in the directory)')
    .option('--once', 'end when all files are done: exit code 1 if one was not')
    .addOption(secondsOption('--settle <seconds>', 'how long a file has to stay as it is to be complete', 10, 0))
    .addOption(secondsOption('--interval <seconds>', 'how often the directory is looked at', 30))
    .addOption(secondsOption('--export-every <seconds>', 'how often exports are compared if no file came', 900))
    .action(
      withConfig(async (config, options: SyncOptions) => {
        const { sync } = await import('./sync.ts');
        await sync(config, options);
      }),
    );
};
