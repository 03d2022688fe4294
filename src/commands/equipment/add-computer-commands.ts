// Adds the commands on computers to the command line.

import { Option, type Command } from 'commander';
import { addCommand, type AddCommand } from '../add-command.ts';
import { bankOption, repeatableOption, tenantOption } from '../parse-option.ts';

/** A command on the computers of a bank. */
const addBankCommand = (computer: Command, name: string, description: string): Command =>
  addCommand(computer, name, description)
    .requiredOption(...tenantOption)
    .requiredOption(...bankOption);

export const addComputerCommands: AddCommand = (root, actionOf) => {
  const computer = addCommand(root, 'computer', 'Manage the computers through which units are connected.');
  addBankCommand(
    computer,
    'create',
    'Create a computer, and print its KID, the code with which it enrols, and until when: the code is shown once.',
  )
    .requiredOption('--name <name>', 'its name, unique in the bank')
    .addOption(repeatableOption('--unit <kid>', 'the KID of a unit that it connects; repeatable'))
    .addOption(
      new Option('--environment <environment>', 'where the code can be used')
        .choices(['production', 'beta'])
        .default('production'),
    )
    .action(actionOf(async () => (await import('./computers.ts')).createComputerByCommand));
  addBankCommand(
    computer,
    'list',
    'List the computers of a bank: KID, name, state, number of units, software, last contact, lines to send, held lines.',
  ).action(actionOf(async () => (await import('./computers.ts')).printComputers));
  addBankCommand(computer, 'revoke', 'End the keys and the code of a computer, for good.')
    .requiredOption('--name <name>', 'its name')
    .action(actionOf(async () => (await import('./computers.ts')).revokeComputerByCommand));
};
