// Writes installers: their locks, the icon, and all that an import changes.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import { insertInstallerDetails, toInstallerColumns, type NewInstaller } from './insert-installers.ts';
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

/** The lock of all installers, and of their ids. */
export const allInstallersLock = (_tenant: WholeTenant): Lock<void> =>
  createLock('installer', [], {
    update: (db) =>
      db
        .updateTable('installers')
        .set(({ eb }) => ({ writes: eb('writes', '+', 1) }))
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

/** The next free id. */
export async function readNextInstallerId(db: Db, _tenant: WholeTenant): Promise<number> {
  const row = await db
    .selectFrom('installers')
    .select(({ fn }) => fn.max('installer_id').as('last'))
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

/** Gives installers that exist these fields, but for their last activity. Needs the lock of all installers. */
export async function updateInstallers(
  db: WriteDb,
  tenant: WholeTenant,
  installers: readonly NewInstaller[],
): Promise<void> {
  for (const installer of installers)
    await db
      .updateTable('installers')
      .set((eb) => ({
        // MariaDB assigns one column after another: this one compares the icon before it changes.
        icon_revision: eb
          .case()
          .when('person_icon', '=', installer.icon)
          .then(eb.ref('icon_revision'))
          .else(eb('icon_revision', '+', 1))
          .end(),
        ...toInstallerColumns(installer),
      }))
      .where('installer_id', '=', installer.installerId)
      .execute();
  await deleteDetails(
    db,
    tenant,
    installers.map(({ installerId }) => installerId),
  );
  await insertInstallerDetails(db, installers);
}

/** Deletes installers with all that they have. */
export async function deleteInstallers(db: WriteDb, tenant: WholeTenant, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await deleteDetails(db, tenant, ids);
  await db
    .deleteFrom('installers')
    .where(db.dialect.inList(sql.ref('installer_id'), ids))
    .execute();
}

async function deleteDetails(db: WriteDb, _tenant: WholeTenant, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['installer_tags', 'installer_locations', 'installer_words'] as const)
    await db
      .deleteFrom(table)
      .where(db.dialect.inList(sql.ref('installer_id'), ids))
      .execute();
}
