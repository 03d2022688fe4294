// Writes installers: the lock, and the icon.

import type { WriteDb } from '../../../database/db.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import type { InstallerRow } from './installers.ts';

/** Updates the installer's row, which is the lock row of its writes. No installer, no lock. */
export async function lockInstaller(db: WriteDb, _tenant: WholeTenant, installerId: number): Promise<void> {
  await db
    .updateTable('installers')
    .set(({ eb }) => ({ writes: eb('writes', '+', 1) }))
    .where('installer_id', '=', installerId)
    .execute();
}

/** Changes the icon of an installer who still has the row's revision of it; false if somebody else was faster. */
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
