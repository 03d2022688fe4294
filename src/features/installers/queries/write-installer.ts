// Writes installers: the lock, and the icon.

import type { WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import type { InstallerRow } from './installers.ts';

export const installerLock = (_tenant: WholeTenant, installerId: number): Lock<void> =>
  createLock('installer', [installerId], {
    update: (db) =>
      db
        .updateTable('installers')
        .set(({ eb }) => ({ writes: eb('writes', '+', 1) }))
        .where('installer_id', '=', installerId)
        .execute(),
  });

/** Changes the icon of an installer if its revision is still that of the row; returns false if it is not. */
export async function updateInstallerIcon(
  db: WriteDb,
  _tenant: WholeTenant,
  { installer_id: installerId, icon_revision: revision }: InstallerRow,
  icon: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('installers')
    .set({ person_icon: icon, icon_revision: revision + 1 })
    .where('installer_id', '=', installerId)
    .where('icon_revision', '=', revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
