// Adds the commands on profiles, of files to import and of charges, to the command line.

import { Option } from 'commander';
import { addCommand, type AddCommand } from '../add-command.ts';
import type { ChargesOptions } from './charges.ts';
import type { ProfileOptions, TryProfileOptions } from './profiles.ts';

const tenantOption = ['--tenant <name>', 'the tenant'] as const;

export const addProfileCommands: AddCommand = (root, withConfig) => {
  const profile = addCommand(root, 'profile', 'Say how files to import are read.');
  addCommand(profile, 'list', 'List the profiles: name, kind, version.')
    .requiredOption(...tenantOption)
    .action(
      withConfig(async (config, options: ProfileOptions) => {
        const { listProfiles } = await import('./profiles.ts');
        await listProfiles(config, options);
      }),
    );
  addCommand(profile, 'get', 'Print a profile.')
    .argument('<name>', 'its name')
    .requiredOption(...tenantOption)
    .action(
      withConfig(async (config, name: string, options: ProfileOptions) => {
        const { printProfile } = await import('./profiles.ts');
        await printProfile(config, name, options);
      }),
    );
  addCommand(profile, 'set', 'Store a profile, or another version of it.')
    .argument('<file>', 'a JSON document')
    .requiredOption(...tenantOption)
    .action(
      withConfig(async (config, file: string, options: ProfileOptions) => {
        const { setProfile } = await import('./profiles.ts');
        await setProfile(config, file, options);
      }),
    );
  addCommand(profile, 'try', 'Read the beginning of a file by a profile, and print the first rows. Changes nothing.')
    .argument('<profile>', 'its name, or a file *.json with one that need not be stored')
    .argument('<file>', 'the file; - is the standard input')
    .option('--tenant <name>', 'the tenant, if the profile is named')
    .option('--json', 'print JSON')
    .action(
      withConfig(async (config, name: string, file: string, options: TryProfileOptions) => {
        const { tryProfile } = await import('./profiles.ts');
        await tryProfile(config, name, file, options);
      }),
    );
};

export const addChargesCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'charges', 'Print how the charges of a bank’s settlements are written, and set it if asked.')
    .requiredOption(...tenantOption)
    .requiredOption('--bank <bank>', 'the bank’s number or KID')
    .option('--profile <name>', 'a profile of charges: settlements have a file of charges from then on')
    .option('--keys <name>', 'the profile of residents whose keys name the tenancies (default: that of our own files)')
    .addOption(new Option('--none', 'settlements have no file of charges').conflicts(['profile', 'keys']))
    .action(
      withConfig(async (config, options: ChargesOptions) => {
        const { printCharges } = await import('./charges.ts');
        await printCharges(config, options);
      }),
    );
};
