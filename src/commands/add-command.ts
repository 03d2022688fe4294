// Adds a command to the command line.

import type { Command } from 'commander';
import type { Config } from '../config.ts';

/** Takes the config, the arguments of the command line in their order, and its options. */
type RunCommand = (config: Config, ...rest: never[]) => unknown;

/** Makes the action of a command from what loads its function: only the command that is run is loaded. */
export type ActionOf = (load: () => Promise<RunCommand>) => (...given: unknown[]) => Promise<void>;

export type AddCommand = (root: Command, actionOf: ActionOf) => void;

export const addCommand = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).exitOverride().allowExcessArguments(false);
