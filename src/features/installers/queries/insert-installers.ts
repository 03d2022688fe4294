// Inserts installers with their tags, locations and search words.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import { formatSortKey } from '../../../lib/text/search-words.ts';
import type { InstallerState } from '../rules/installer-states.ts';
import { foldTag, listInstallerWords, type SearchableInstaller } from '../rules/installer-search.ts';

export type NewInstaller = SearchableInstaller & {
  readonly state: InstallerState;
  /** MS2000; null if there was none. */
  readonly lastActivityAt: number | null;
  readonly personIcon: string;
  readonly locations: readonly { readonly bankId: number; readonly locationId: number }[];
};

export async function insertInstallers(db: WriteDb, installers: readonly NewInstaller[]): Promise<void> {
  await insertRows(db, 'installers', installers.map(toInstallerRow));
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

const toInstallerRow = ({ installerId, name, email, phone, organisation, ...installer }: NewInstaller) => ({
  installer_id: installerId,
  name,
  name_key: formatSortKey(name),
  email,
  phone,
  organisation,
  state: installer.state,
  last_activity_at: installer.lastActivityAt,
  person_icon: installer.personIcon,
  icon_revision: 1,
  writes: 0,
});
