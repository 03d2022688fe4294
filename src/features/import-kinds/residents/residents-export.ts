// Reads the residents of a bank for an export.

import type { Db } from '../../../database/db.ts';
import { createUserKidFormatter, formatBankKid } from '../../../lib/kid.ts';
import { listKeysOfResidents } from '../../resident-administration/queries/resident-details.ts';
import { listResidentsAfter } from '../../resident-administration/queries/residents.ts';
import { toResidentValues } from './rules/resident-fields.ts';
import type { ExportedRow, ImportTarget } from '../import-kind.ts';

const exportedTogether = 1000;

/** Without deleted ones, and without those whose identities have expired. */
export async function* exportResidents(db: Db, { bank, now }: ImportTarget): AsyncGenerator<ExportedRow[]> {
  const toKid = createUserKidFormatter(formatBankKid(bank.tenant, bank.bankId));
  let afterId = 0;
  for (;;) {
    const residents = await listResidentsAfter(db, bank, { afterId, limit: exportedTogether, now });
    const last = residents.at(-1);
    if (last === undefined) return;
    const ids = residents.map(({ resident_id }) => resident_id);
    const keys = Map.groupBy(await listKeysOfResidents(db, bank, ids), ({ resident_id }) => resident_id);
    yield residents.map((row) => ({
      objectKid: toKid(row.resident_id),
      values: toResidentValues(bank, row, keys.get(row.resident_id) ?? []),
    }));
    afterId = last.resident_id;
  }
}
