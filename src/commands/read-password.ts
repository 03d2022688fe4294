// Reads a password from standard input, where neither the process list nor the shell's history shows it.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { demoPassword } from '../features/credentials/demo-password.ts';
import { countPasswordLength, normalizePassword } from '../features/credentials/rules/password.ts';
import { CommandError } from './command-error.ts';

// OWASP ASVS 5.0, 6.2.1 and 6.2.9.
const minPasswordLength = 8;
const maxPasswordLength = 128;

export async function readPassword(): Promise<string> {
  const password = await readLine();
  const length = countPasswordLength(password);
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new CommandError(
      `the password on standard input must have ${minPasswordLength} to ${maxPasswordLength} characters`,
    );
  }
  if (normalizePassword(password) === demoPassword)
    throw new CommandError('the demo password is only for demo data: choose another');
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
