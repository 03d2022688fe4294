// Makes the SQLite file of a moment from a copy: the base, and each page of every frame after it.

import { open, type FileHandle } from 'node:fs/promises';
import { privateFileMode } from './whole-file.ts';
import { listGenerations, readBase, readParts, type CopySource } from './read-copy.ts';
import { CopyError } from './copy-error.ts';
import { chooseFiles, formatMoment, type ChosenFiles } from './choose-copy.ts';
import type { BaseHead } from './copy-lines.ts';
import { CopiedChain } from './copied-chain.ts';

export type BuildInput = CopySource & {
  /** The moment; undefined for the newest. */
  readonly atMs: number | undefined;
  /** Throws where the copy is of another database than the one that is wanted. */
  readonly requireTenant: (tenant: string) => void;
};

type BuiltDatabase = {
  /** All that was committed until then is in it. */
  readonly untilMs: number;
};

/** Throws CopyError where the copy does not have the moment, or is damaged. */
export async function buildDatabase(path: string, input: BuildInput): Promise<BuiltDatabase> {
  const atMs = input.atMs ?? Number.MAX_SAFE_INTEGER;
  const chosen = chooseFiles(await listGenerations(input.folder), atMs);
  const file = await open(path, 'wx', privateFileMode);
  try {
    const built = await applyParts(file, input, chosen, { ...(await writePages(file, input, chosen)), atMs });
    await file.sync();
    return built;
  } finally {
    await file.close();
  }
}

/** Returns the tenant, and until when everything is in the base and the parts that it needs. */
async function writePages(
  file: FileHandle,
  input: BuildInput,
  { generation, base }: ChosenFiles,
): Promise<Pick<BaseHead, 'tenant' | 'untilMs'>> {
  let [offset, tenant, untilMs] = [0, '', 0];
  for await (const { head, bytes } of readBase(input, generation.name, base.name)) {
    if (offset === 0) input.requireTenant(head.tenant);
    for (let written = 0; written < bytes.length;)
      written += (await file.write(bytes, written, bytes.length - written, offset + written)).bytesWritten;
    offset += bytes.length;
    ({ tenant, untilMs } = head);
  }
  return { tenant, untilMs };
}

async function applyParts(
  file: FileHandle,
  input: BuildInput,
  { generation, base, nextFromMs }: ChosenFiles,
  reached: { readonly tenant: string; readonly untilMs: number; readonly atMs: number },
): Promise<BuiltDatabase> {
  const chain = new CopiedChain(reached.tenant, generation.name);
  let { untilMs } = reached;
  const { atMs } = reached;
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
    throw new CopyError(
      `has nothing between ${formatMoment(untilMs)} and ${formatMoment(nextFromMs)}: name one of these times, or one before or after both`,
    );
  return { untilMs };
}
