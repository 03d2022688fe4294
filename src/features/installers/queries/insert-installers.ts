// Inserts installers with their tags, locations and search words.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import { formatSortKey } from '../../../lib/text/search-words.ts';
import type { InstallerFields } from '../fields.ts';
import { foldTag, listInstallerWords } from '../rules/installer-search.ts';

export type NewInstaller = InstallerFields & {
  readonly installerId: number;
  /** MS2000; null if there was none. */
  readonly lastActivityAt: number | null;
};

export async function insertInstallers(db: WriteDb, installers: readonly NewInstaller[]): Promise<void> {
  const rows = installers.map((installer) => ({
    installer_id: installer.installerId,
    ...toInstallerColumns(installer),
    last_activity_at: installer.lastActivityAt,
    icon_revision: 1,
    writes: 0,
  }));
  await insertRows(db, 'installers', rows);
  await insertInstallerDetails(db, installers);
}

/** Their tags, locations and search words. */
export async function insertInstallerDetails(db: WriteDb, installers: readonly NewInstaller[]): Promise<void> {
  const rowsOf = <T extends object>(list: (installer: NewInstaller) => readonly T[]) =>
    installers.flatMap((installer) => list(installer).map((row) => ({ installer_id: installer.installerId, ...row })));
  await insertRows(
    db,
    'installer_tags',
    rowsOf(({ tags }) =>
      [...new Map(tags.map((tag) => [foldTag(tag), tag]))].map(([tag_key, tag]) => ({ tag, tag_key })),
    ),
  );
  await insertRows(
    db,
    'installer_locations',
    rowsOf(({ locations }) =>
      locations.map(({ bankId, locationId }) => ({ bank_id: bankId, location_id: locationId })),
    ),
  );
  await insertRows(
    db,
    'installer_words',
    rowsOf((installer) => listInstallerWords(installer).map((word) => ({ word }))),
  );
}

/** The columns that hold the fields. */
export const toInstallerColumns = ({ name, email, phone, organisation, state, icon }: NewInstaller) => ({
  name,
  name_key: formatSortKey(name),
  email,
  phone,
  organisation,
  state,
  person_icon: icon,
});
