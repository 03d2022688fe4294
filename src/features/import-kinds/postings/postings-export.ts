// Exports the postings of a bank as an import reads them, oldest id first. What the account shows without an identity is
// anonymous here too.

import type { Db } from '../../../database/db.ts';
import { formatBankKid, formatPostingKid } from '../../../lib/kid.ts';
import { readRetentionSetting } from '../../residents/queries/retention-setting.ts';
import { getIdentityVisibility, isAnonymized, type IdentityVisibility } from '../../residents/rules/identity.ts';
import { preparePostingBatches, type ExportedPosting } from './queries/exported-postings.ts';
import { toPostingValues } from './rules/posting-values.ts';
import { createSharedKids } from '../rules/shared-kids.ts';
import type { ExportedRow, ExportViewer, ImportTarget } from '../import-kind.ts';

/** Few, so that most objects of a batch are free before the collector would copy them. */
const batchSize = 400;

export async function* exportPostings(
  db: Db,
  { bank }: ImportTarget,
  viewer?: ExportViewer,
): AsyncIterable<readonly ExportedRow[]> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const visibility =
    viewer === undefined ? undefined : getIdentityVisibility(await readRetentionSetting(db), viewer, viewer.now);
  const kids = createSharedKids(bankKid);
  const readBatch = preparePostingBatches(db, bank);
  for (let after = 0; ;) {
    const rows = await readBatch({ after, limit: batchSize });
    if (rows.length === 0) return;
    after = rows.at(-1)?.posting_id ?? after;
    yield rows.map((row) => ({
      objectKid: formatPostingKid(bankKid, row.posting_id),
      values: toPostingValues(row, bankKid, {
        isAnonymous: visibility !== undefined && isHidden(row, visibility),
        kids,
      }),
    }));
  }
}

/** A reversal whose original is anonymous is anonymous, since it would tell whose it was. */
const isHidden = (row: ExportedPosting, visibility: IdentityVisibility): boolean =>
  isAnonymized(row, visibility) ||
  (row.original_at !== null && isAnonymized({ ...row, recorded_at: row.original_at }, visibility));
