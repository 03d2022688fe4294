// Reports the error that ends a command.

import { CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { StorageError } from '../database/errors.ts';
import { CommandError } from './command-error.ts';

/** Writes one line to standard error, and returns the exit code: 2 for wrong input, 1 for a failure. */
export function reportError(error: unknown): number {
  // Commander has already written its line. Help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`error: ${formatError(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? 2 : 1;
}

/** One line for what an operator can fix, a stack for a defect. */
function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOperatorError =
    error instanceof ConfigError || error instanceof CommandError || error instanceof StorageError;
  // Errors of the system and of database servers carry a code.
  const isExpected = isOperatorError || typeof (error as NodeJS.ErrnoException).code === 'string' || 'errcode' in error;
  if (!isExpected) return error.stack ?? error.message;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replaceAll(/\s*\n\s*/g, ' ');
}
