// Reads which records of an export show nobody's identity.

import type { Db } from '../../../database/db.ts';
import { readRetentionSetting } from '../../residents/queries/retention-setting.ts';
import { getIdentityVisibility, isAnonymized } from '../../residents/rules/identity.ts';
import type { ExportViewer } from '../import-kind.ts';

type IdentifiedRecord = Parameters<typeof isAnonymized>[0];

/** What lists show without an identity is anonymous in an export too, but not for an operator, who has no viewer. */
export async function readHiddenIdentities(
  db: Db,
  viewer: ExportViewer | undefined,
): Promise<(row: IdentifiedRecord) => boolean> {
  if (viewer === undefined) return () => false;
  const visibility = getIdentityVisibility(await readRetentionSetting(db), viewer, viewer.now);
  return (row) => isAnonymized(row, visibility);
}
