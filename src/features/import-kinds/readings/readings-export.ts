// Exports the readings of a bank's counters as an import reads them, unit by unit, oldest first.

import { formatUtc } from '../../../lib/time/ms2000.ts';
import { allDefinitions } from '../../units/catalogue/type-catalogue.ts';
import { listReadingsAfter, type StoredReading } from './queries/readings-of-rows.ts';
import { isCounter } from './rules/decide-reading.ts';
import { formatReadingKid } from './rules/reading-fields.ts';
import { createSharedKids } from '../rules/shared-kids.ts';
import { bankKidOf } from '../rules/bank-kids.ts';
import { readExportPages } from '../rules/read-export-pages.ts';
import type { ImportKind } from '../import-kind.ts';
import type { ReadingField } from './rules/reading-fields.ts';

const batchSize = 1000;

export const exportReadings: ImportKind['exportRows'] = async function* exportReadings(db, target) {
  const bankKid = bankKidOf(target);
  const counters = allDefinitions.filter(isCounter).map(({ name }) => name);
  const kids = createSharedKids(bankKid);
  for await (const readings of readExportPages<StoredReading>((last) =>
    listReadingsAfter(db, target.bank, counters, { after: last ?? { seriesId: 0, at: 0 }, limit: batchSize }),
  ))
    yield readings.map((reading) => ({
      objectKid: formatReadingKid(bankKid, reading),
      values: {
        unit: kids.unit(reading.locationId, reading.unitId),
        at: formatUtc(reading.at),
        counter: reading.counter,
        value: reading.value ?? '',
      } satisfies Record<ReadingField, string>,
    }));
};
