// Makes the SQLite file of a moment from a copy: the base, and each page of every frame after it.

import { open, type FileHandle } from 'node:fs/promises';
import { privateFileMode } from '../../../lib/bytes/file-modes.ts';
import { listGenerations, readBase, readParts, type CopySource } from '../read-copy.ts';
import { BackupError } from '../rules/backup-error.ts';
import { chooseFiles, formatMoment, type ChosenFiles } from '../rules/choose-copy.ts';
import { CopiedChain } from '../read-copied-frames.ts';

export type BuildInput = CopySource & {
  readonly tenant: string;
  /** The moment; undefined for the newest. */
  readonly atMs: number | undefined;
};

type BuiltDatabase = {
  /** All that was committed until then is in it. */
  readonly untilMs: number;
};

/** Throws BackupError where the copy does not have the moment, or is damaged. */
export async function buildDatabase(path: string, input: BuildInput): Promise<BuiltDatabase> {
  const atMs = input.atMs ?? Number.MAX_SAFE_INTEGER;
  const chosen = chooseFiles(await listGenerations(input.folder), atMs);
  const file = await open(path, 'wx', privateFileMode);
  try {
    const untilMs = await writePages(file, input, chosen);
    const built = await applyParts(file, input, chosen, { untilMs, atMs });
    await file.sync();
    return built;
  } finally {
    await file.close();
  }
}

/** Returns until when everything is in the base and the parts that it needs. */
async function writePages(file: FileHandle, input: BuildInput, { generation, base }: ChosenFiles): Promise<number> {
  let [at, untilMs] = [0, 0];
  for await (const { head, bytes } of readBase(input, generation.name, base.name)) {
    if (head.tenant !== input.tenant)
      throw new BackupError(
        `is of the tenant ${head.tenant}: it cannot be restored as ${input.tenant}, whose KIDs are others`,
      );
    for (let written = 0; written < bytes.length;)
      written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
    at += bytes.length;
    ({ untilMs } = head);
  }
  return untilMs;
}

async function applyParts(
  file: FileHandle,
  input: BuildInput,
  { generation, base, nextFromMs }: ChosenFiles,
  { untilMs: baseUntilMs, atMs }: { readonly untilMs: number; readonly atMs: number },
): Promise<BuiltDatabase> {
  const chain = new CopiedChain(input.tenant, generation.name);
  let untilMs = baseUntilMs;
  for await (const { head, frames: bytes } of readParts(input, generation, base.first)) {
    // Nothing more was committed until `sinceMs`.
    if (head.part > base.last && head.readMs > atMs)
      return { untilMs: Math.max(untilMs, Math.min(head.sinceMs, atMs)) };
    const { header, frames } = chain.follow(head, bytes);
    for (const { page, content } of frames) await file.write(content, 0, content.length, (page - 1) * header.pageBytes);
    await file.truncate((frames.at(-1)?.pagesAfterCommit ?? 0) * header.pageBytes);
    untilMs = Math.max(untilMs, head.untilMs);
  }
  if (nextFromMs !== undefined && untilMs < atMs)
    throw new BackupError(
      `has nothing between ${formatMoment(untilMs)} and ${formatMoment(nextFromMs)}: name one of these times, or one before or after both`,
    );
  return { untilMs };
}
