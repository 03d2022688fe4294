// Writes mails to a folder instead of sending them, for services without a mail server. It keeps the newest ones.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFileMode, privateFolderMode } from '../../lib/bytes/file-modes.ts';
import type { ComposedMail } from './compose-mail.ts';
import { MailError } from './mailer.ts';

const maxOutboxMails = 100;

/** Writing a mail never takes that long. */
const unfinishedForMs = 60_000;
const unfinishedPattern = /^\d{4}-.*\.part$/;

/** Throws MailError if the folder cannot be written. */
export async function putIntoOutbox(folder: string, { message }: ComposedMail, sentAt: Date): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: privateFolderMode });
    // The names sort by time.
    const name = `${formatTime(sentAt)}-${randomUUID()}`;
    const unfinished = join(folder, `${name}.part`);
    await writeFile(unfinished, message, { mode: privateFileMode, flag: 'wx' });
    await rename(unfinished, join(folder, `${name}.eml`));
  } catch (error) {
    throw new MailError(
      'server-unavailable',
      `the outbox could not be written: ${String((error as NodeJS.ErrnoException).code)}`,
    );
  }
  // The mail is written, even if old ones cannot be deleted.
  await deleteOld(folder, sentAt).catch(() => {});
}

const formatTime = (at: Date): string => at.toISOString().replaceAll(':', '-');

/** Deletes the oldest mails, and unfinished files of earlier processes. */
async function deleteOld(folder: string, sentAt: Date): Promise<void> {
  const names = (await readdir(folder)).toSorted();
  const mails = names.filter((name) => name.endsWith('.eml'));
  const superfluous = mails.slice(0, Math.max(0, mails.length - maxOutboxMails));
  // A mail that is being written at the same time is younger.
  const oldestWriting = formatTime(new Date(sentAt.getTime() - unfinishedForMs));
  const abandoned = names.filter((name) => unfinishedPattern.test(name) && name < oldestWriting);
  // Other processes delete at the same time.
  await Promise.all([...superfluous, ...abandoned].map((name) => rm(join(folder, name), { force: true })));
}
