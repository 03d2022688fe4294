// Restores a tenant as it was at a moment from a copy. The SQLite file of the moment is made in a folder of its own, and goes
// through the ordinary backup and restore: so it has nothing that those leave out, and may go to the other engine.

import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openDatabases } from '../../../database/databases.ts';
import { buildDatabase } from '../../../../sqlite-follower/build-database.ts';
import { createMomentFolder } from '../../../../sqlite-follower/moment-folder.ts';
import { CopyError } from '../../../../sqlite-follower/copy-error.ts';
import { requireTenant } from '../rules/backup-schema.ts';
import { createCopyContainer, formatMoment } from './tenant-copies.ts';
import { writeBackup } from './write-backup.ts';

const checkDeadlineMs = 3_600_000;

type CopyInput = {
  /** The folder of the copy. */
  readonly folder: string;
  readonly keyFile: Uint8Array | undefined;
  readonly tenant: string;
  /** The moment; undefined for the newest. */
  readonly atMs: number | undefined;
  /** A folder with room for the SQLite file. */
  readonly scratch: string;
  readonly version: string;
};

/** Gives `restore` a backup of the moment. Nothing is left of it afterwards; of one that is killed, until the next restore. */
export async function withBackupOfMoment<T>(
  input: CopyInput,
  restore: (source: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const { folder, keyFile, tenant, atMs, scratch, version } = input;
  const moment = await createMomentFolder(scratch, tenant);
  const databases = openDatabases({ engine: 'sqlite', directory: moment.path });
  try {
    const { untilMs } = await buildDatabase(join(moment.path, `${tenant}.sqlite`), {
      folder,
      container: createCopyContainer(keyFile),
      atMs,
      requireTenant: (copied) => requireTenant({ tenant: copied }, tenant),
    });
    const { isRestoring } = await databases.compareSchema(tenant, checkDeadlineMs);
    if (isRestoring) throw new CopyError('was copied while a backup was being restored: name a later time');
    const written = { tenant, writtenAtUtc: formatMoment(untilMs), version, keyFile: undefined };
    const pipe = new PassThrough();
    const writing = writeBackup(databases.restoreInto(tenant).database, written, (bytes) => pipeline(bytes, pipe));
    const restoring = restore(pipe).finally(() => pipe.destroy());
    const [restored, wrote] = await Promise.allSettled([
      restoring,
      writing.catch((error: unknown) => {
        pipe.destroy(error as Error);
        throw error;
      }),
    ]);
    if (restored.status === 'rejected') throw restored.reason;
    if (wrote.status === 'rejected') throw wrote.reason;
    return restored.value;
  } finally {
    await databases.close();
    await moment.remove();
  }
}
