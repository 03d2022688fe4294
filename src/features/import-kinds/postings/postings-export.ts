// Exports the postings of a bank as an import reads them, oldest id first. What the account shows without an identity is
// anonymous here too.

import { formatPostingKid } from '../../../lib/kid.ts';
import { readRetentionSetting } from '../../residents/queries/retention-setting.ts';
import { getIdentityVisibility, isAnonymized, type IdentityVisibility } from '../../residents/rules/identity.ts';
import { preparePostingBatches, type ExportedPosting } from './queries/exported-postings.ts';
import { toPostingValues } from './rules/posting-values.ts';
import { createSharedKids } from '../rules/shared-kids.ts';
import { bankKidOf } from '../rules/bank-kids.ts';
import { readExportPages } from '../rules/read-export-pages.ts';
import type { ImportKind } from '../import-kind.ts';

/** Few, so that most objects of a batch are free before the collector would copy them. */
const batchSize = 400;

export const exportPostings: ImportKind['exportRows'] = async function* exportPostings(db, target, viewer) {
  const bankKid = bankKidOf(target);
  const visibility =
    viewer === undefined ? undefined : getIdentityVisibility(await readRetentionSetting(db), viewer, viewer.now);
  const kids = createSharedKids(bankKid);
  const readBatch = preparePostingBatches(db, target.bank);
  for await (const rows of readExportPages<ExportedPosting>((last) =>
    readBatch({ after: last?.posting_id ?? 0, limit: batchSize }),
  ))
    yield rows.map((row) => ({
      objectKid: formatPostingKid(bankKid, row.posting_id),
      values: toPostingValues(row, bankKid, {
        isAnonymous: visibility !== undefined && isHidden(row, visibility),
        kids,
      }),
    }));
};

/** A reversal whose original is anonymous is anonymous, since it would tell whose it was. */
const isHidden = (row: ExportedPosting, visibility: IdentityVisibility): boolean =>
  isAnonymized(row, visibility) ||
  (row.original_at !== null && isAnonymized({ ...row, recorded_at: row.original_at }, visibility));
