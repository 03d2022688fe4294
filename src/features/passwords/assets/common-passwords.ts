// Reads the list of common passwords when somebody first chooses a password.

import { readFile } from 'node:fs/promises';

export type CommonPasswords = {
  /** Folded by `foldPassword`. */
  list(): Promise<ReadonlySet<string>>;
};

const listFile = new URL('../../../../assets/passwords/common.txt', import.meta.url);

/** A list that could not be read is read again by the next call. */
export function createCommonPasswords(file = listFile): CommonPasswords {
  let listed: Promise<ReadonlySet<string>> | undefined;
  const readOnce = async (): Promise<ReadonlySet<string>> => {
    try {
      return await readList(file);
    } catch (error) {
      listed = undefined;
      throw error;
    }
  };
  return { list: () => (listed ??= readOnce()) };
}

const readList = async (file: URL): Promise<ReadonlySet<string>> =>
  new Set((await readFile(file, 'utf8')).trimEnd().split('\n'));
