// Reads a password from standard input, where neither the process list nor the shell's history shows it.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { createCommonPasswords } from '../../features/passwords/assets/common-passwords.ts';
import { findPasswordFault } from '../../features/passwords/rules/new-password.ts';
import { CommandError } from '../command-error.ts';

/** Applies the rule of ChangeMyManagerPassword. `ownWords` are words that others know of the manager. */
export async function readPassword(ownWords: readonly string[]): Promise<string> {
  const password = await readLine();
  const commonPasswords = await createCommonPasswords().list();
  const fault = findPasswordFault(password, { commonPasswords, ownWords, demo: false });
  if (fault !== undefined) throw new CommandError(`the password on standard input ${fault.reason}`);
  return password;
}

/** The first line of standard input. A terminal does not show what is typed. */
async function readLine(): Promise<string> {
  const terminal = process.stdin.isTTY;
  if (terminal) process.stderr.write('Password: ');
  const mutedOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: mutedOutput, terminal });
  for await (const line of lines) return line;
  return '';
}
