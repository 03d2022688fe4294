// Reads which records show nobody's identity to whoever an import or export is for.

import type { Db } from '../../../database/db.ts';
import { readRetentionSetting } from '../../residents/queries/retention-setting.ts';
import { getIdentityVisibility, isAnonymized } from '../../residents/rules/identity.ts';
import type { ImportTarget } from '../import-kind.ts';

type IdentifiedRecord = Parameters<typeof isAnonymized>[0];

/** What lists show without an identity is anonymous in imports and exports too, but not for an operator. */
export async function readHiddenIdentities(
  db: Db,
  { viewer, now }: Pick<ImportTarget, 'viewer' | 'now'>,
): Promise<(row: IdentifiedRecord) => boolean> {
  if (viewer === undefined) return () => false;
  const visibility = getIdentityVisibility(await readRetentionSetting(db), viewer, now);
  return (row) => isAnonymized(row, visibility);
}
