// Reads the list of common passwords when somebody first chooses a password.

import { readFile } from 'node:fs/promises';

export type CommonPasswords = {
  /** In the form that `foldPassword` makes. */
  list(): Promise<ReadonlySet<string>>;
};

const listFile = new URL('../../../assets/passwords/common.txt', import.meta.url);

export function createCommonPasswords(): CommonPasswords {
  let listed: Promise<ReadonlySet<string>> | undefined;
  return { list: () => (listed ??= readList()) };
}

const readList = async (): Promise<ReadonlySet<string>> =>
  new Set((await readFile(listFile, 'utf8')).trimEnd().split('\n'));
