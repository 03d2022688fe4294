// Stops waiting for storage after some time. The work itself goes on.

import { StorageError } from './errors.ts';

/** Throws a StorageError of this failure after so many milliseconds. */
export async function withTimeout<T>(ms: number, failure: StorageError['failure'], work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageError(failure)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
