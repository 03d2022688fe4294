// Adds a command to the command line.

import type { Command } from 'commander';
import type { Config } from '../config.ts';

/** Makes the action of a command from a function that takes the config first. */
export type WithConfig = <Arguments extends unknown[]>(
  action: (config: Config, ...rest: Arguments) => Promise<void>,
) => (...rest: Arguments) => Promise<void>;

export type AddCommand = (root: Command, withConfig: WithConfig) => void;

export const addCommand = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).exitOverride().allowExcessArguments(false);
