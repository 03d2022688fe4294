// The copies of tenants: what the follower of SQLite files writes, in the containers that backups have as well.

import { formatMoment } from '../../../../sqlite-follower/choose-copy.ts';
import { DatabaseFollower, defaultFollowLimits } from '../../../../sqlite-follower/database-follower.ts';
import { removeAbandonedMoments } from '../../../../sqlite-follower/moment-folder.ts';
import type { Log } from '../../../../sqlite-follower/segment-joiner.ts';
import { verifyCopy, type ProvenGeneration } from '../../../../sqlite-follower/verify-copy.ts';
import type { Container } from '../../../../sqlite-follower/write-copy.ts';
import { readContainer } from '../read-container.ts';
import { copyFormat } from '../rules/prelude.ts';
import { writeContainer } from './write-container.ts';

export { formatMoment, removeAbandonedMoments };

export const createCopyContainer = (keyFile: Uint8Array | undefined): Container => ({
  write: (content, sink) => writeContainer(copyFormat, content, keyFile, sink),
  read: (bytes) => readContainer(copyFormat, bytes, keyFile),
});

type FollowInput = {
  readonly tenant: string;
  /** The SQLite file. */
  readonly file: string;
  readonly folder: string;
  readonly keyFile: Uint8Array | undefined;
  readonly log: Log;
  readonly maxLogBytes: number;
  readonly keepMs: number | undefined;
};

/** Throws CopyError where the copy is written by another process, or cannot be read. */
export async function openFollower({ keyFile, maxLogBytes, ...input }: FollowInput): Promise<DatabaseFollower> {
  const limits = { ...defaultFollowLimits, maxLogBytes };
  const follower = new DatabaseFollower({ ...input, container: createCopyContainer(keyFile), limits, now: Date.now });
  await follower.resume();
  return follower;
}

/** Proves a copy without restoring it. Throws CopyError with what is wrong, and where. */
export const verifyTenantCopy = (folder: string, keyFile: Uint8Array | undefined): Promise<ProvenGeneration[]> =>
  verifyCopy({ folder, container: createCopyContainer(keyFile) });
