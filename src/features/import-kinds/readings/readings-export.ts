// Exports the readings of a bank's counters as an import reads them, unit by unit, oldest first.

import type { Db } from '../../../database/db.ts';
import { formatBankKid } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { allDefinitions } from '../../units/catalogue/type-catalogue.ts';
import { listReadingsAfter } from './queries/readings-of-rows.ts';
import { isCounter } from './rules/decide-reading.ts';
import { formatReadingKid } from './rules/reading-fields.ts';
import { createSharedKids } from '../rules/shared-kids.ts';
import type { ExportedRow, ImportTarget } from '../import-kind.ts';

const batchSize = 1000;

export async function* exportReadings(db: Db, { bank }: ImportTarget): AsyncIterable<readonly ExportedRow[]> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const counters = allDefinitions.filter(isCounter).map(({ name }) => name);
  const kids = createSharedKids(bankKid);
  let after = { seriesId: 0, at: 0 };
  for (;;) {
    const readings = await listReadingsAfter(db, bank, counters, { after, limit: batchSize });
    const last = readings.at(-1);
    if (last === undefined) return;
    after = last;
    yield readings.map((reading) => ({
      objectKid: formatReadingKid(bankKid, reading),
      values: {
        unit: kids.unit(reading.locationId, reading.unitId),
        at: formatUtc(reading.at),
        counter: reading.counter,
        value: reading.value ?? '',
      },
    }));
  }
}
