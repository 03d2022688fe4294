// Reads the residents of a bank for an export.

import { createUserKidFormatter } from '../../../lib/kid.ts';
import { listKeysOfResidents } from '../../resident-administration/queries/resident-details.ts';
import { listResidentsAfter, type ResidentRow } from '../../resident-administration/queries/residents.ts';
import { residentImportFields } from './rules/resident-fields.ts';
import { bankKidOf } from '../rules/bank-kids.ts';
import { writeValues } from '../rules/parse-fields.ts';
import { readExportPages } from '../rules/read-export-pages.ts';
import type { ImportKind } from '../import-kind.ts';

const exportedTogether = 1000;

/** Deleted residents are left out, and those whose identities have expired. */
export const exportResidents: ImportKind['exportRows'] = async function* exportResidents(db, target) {
  const { bank, now } = target;
  const toKid = createUserKidFormatter(bankKidOf(target));
  for await (const residents of readExportPages<ResidentRow>((last) =>
    listResidentsAfter(db, bank, { afterId: last?.resident_id ?? 0, limit: exportedTogether, now }),
  )) {
    const ids = residents.map(({ resident_id }) => resident_id);
    const keys = Map.groupBy(await listKeysOfResidents(db, bank, ids), ({ resident_id }) => resident_id);
    yield residents.map((row) => ({
      objectKid: toKid(row.resident_id),
      values: writeValues(residentImportFields, { row, keys: keys.get(row.resident_id) ?? [] }, target),
    }));
  }
};
