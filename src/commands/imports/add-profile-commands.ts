// Adds the commands on profiles, of files to import and of charges, to the command line.

import { Option } from 'commander';
import { addCommand, type AddCommand } from '../add-command.ts';
import { bankOption, tenantOption } from '../parse-option.ts';

export const addProfileCommands: AddCommand = (root, actionOf) => {
  const profile = addCommand(root, 'profile', 'Say how files to import are read.');
  addCommand(profile, 'list', 'List the profiles: name, kind, version.')
    .requiredOption(...tenantOption)
    .action(actionOf(async () => (await import('./profiles.ts')).listProfiles));
  addCommand(profile, 'get', 'Print a profile.')
    .argument('<name>', 'its name')
    .requiredOption(...tenantOption)
    .action(actionOf(async () => (await import('./profiles.ts')).printProfile));
  addCommand(profile, 'set', 'Store a profile, or another version of it.')
    .argument('<file>', 'a JSON document')
    .requiredOption(...tenantOption)
    .action(actionOf(async () => (await import('./profiles.ts')).setProfile));
  addCommand(profile, 'try', 'Read the beginning of a file by a profile, and print the first rows. Changes nothing.')
    .argument('<profile>', 'its name, or a file *.json with one that need not be stored')
    .argument('<file>', 'the file; - is the standard input')
    .option('--tenant <name>', 'the tenant, if the profile is named')
    .option('--json', 'print JSON')
    .action(actionOf(async () => (await import('./profiles.ts')).tryProfile));
};

export const addChargesCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'charges', 'Print how the charges of a bank’s settlements are written, and set it if asked.')
    .requiredOption(...tenantOption)
    .requiredOption(...bankOption)
    .option('--profile <name>', 'a profile of charges: settlements have a file of charges from then on')
    .option('--keys <name>', 'the profile of residents whose keys name the tenancies (default: that of our own files)')
    .addOption(new Option('--none', 'settlements have no file of charges').conflicts(['profile', 'keys']))
    .action(actionOf(async () => (await import('./charges.ts')).printCharges));
};
