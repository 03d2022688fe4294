// Puts mails into a folder in place of sending them, for services without a mail server. The newest are kept.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFileMode, privateFolderMode } from '../../lib/file-modes.ts';
import type { ComposedMail } from './compose-mail.ts';
import { MailError } from './mailer.ts';

export const maxOutboxMails = 100;

/** Throws MailError where the folder cannot be written. */
export async function putIntoOutbox(folder: string, { message }: ComposedMail, sentAt: Date): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: privateFolderMode });
    // The names are in the order of time.
    const name = `${sentAt.toISOString().replaceAll(':', '-')}-${randomUUID()}`;
    const unfinished = join(folder, `${name}.part`);
    await writeFile(unfinished, message, { mode: privateFileMode, flag: 'wx' });
    await rename(unfinished, join(folder, `${name}.eml`));
    await deleteOldest(folder);
  } catch (error) {
    throw new MailError(
      'server-unavailable',
      `the outbox could not be written: ${String((error as NodeJS.ErrnoException).code)}`,
    );
  }
}

async function deleteOldest(folder: string): Promise<void> {
  const mails = (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted();
  const superfluous = mails.slice(0, Math.max(0, mails.length - maxOutboxMails));
  // Others delete at the same time.
  await Promise.all(superfluous.map((name) => rm(join(folder, name), { force: true })));
}
