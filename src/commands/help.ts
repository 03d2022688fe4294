// The help of the whole command line, which also lists the commands of groups, and what is said about a command that
// does not exist.

import { Help, type Command } from 'commander';
import { editDistance } from '../lib/text/edit-distance.ts';
import { CommandError } from './command-error.ts';

const defaultHelp = new Help();

/** Must be called after all commands have been added, since later ones would inherit it. */
export function listSubcommandsInHelp(root: Command): void {
  const commandsBelow = (command: Command): Command[] =>
    defaultHelp.visibleCommands(command).filter((each) => each.name() !== 'help');
  root.configureHelp({
    visibleCommands: (command) =>
      defaultHelp.visibleCommands(command).flatMap((each) => [each, ...commandsBelow(each)]),
    subcommandTerm: (command) => [...namesOf(command).slice(0, -1), defaultHelp.subcommandTerm(command)].join(' '),
  });
}

/** `verify ledger` -> [verify, ledger]. */
const namesOf = (command: Command): string[] =>
  command.parent === null ? [] : [...namesOf(command.parent), command.name()];

/** Throws CommandError if the first words name no command, and says which one they are close to. */
export function requireKnownCommand(root: Command, words: readonly string[]): void {
  let command = root;
  for (const word of words) {
    const isGroup = command.commands.length > 0;
    if (!isGroup || word.startsWith('-') || word === 'help') return;
    const next = command.commands.find((each) => each.name() === word);
    // A group can be a command itself, whose argument this is.
    if (next === undefined && command.registeredArguments.length > 0) return;
    if (next === undefined) throw unknownCommand(root, [...namesOf(command), word]);
    command = next;
  }
}

const allBelow = (command: Command): Command[] => command.commands.flatMap((each) => [each, ...allBelow(each)]);

/** A typing error makes at most so many mistakes. */
const maxDistance = 2;

function unknownCommand(root: Command, typed: readonly string[]): CommandError {
  const word = typed.at(-1) ?? '';
  const ranked = allBelow(root)
    .map((command) => ({ path: namesOf(command).join(' '), distance: editDistance(command.name(), word) }))
    .filter(({ distance }) => distance <= maxDistance && distance < word.length)
    // Among equals the one of the same group.
    .toSorted((a, b) => a.distance - b.distance || sharedWords(b.path, typed) - sharedWords(a.path, typed));
  const [nearest] = ranked;
  const suggestion = nearest === undefined ? 'portal --help lists them' : `did you mean ${nearest.path}?`;
  return new CommandError(`unknown command '${typed.join(' ')}': ${suggestion}`);
}

const sharedWords = (path: string, typed: readonly string[]): number =>
  path.split(' ').filter((word, index) => word === typed[index]).length;
