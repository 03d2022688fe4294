// Floors of documents: a bare node:http server that runs only the queries of a search, or the query of a document's
// samples, through the database layer. Run as a process of its own: `documents-floor.ts KIND DIRECTORY NOW`; prints
// {"port"}.

import { openDatabases } from '../../src/database/databases.ts';
import {
  countSearchedSettings,
  listFoundDocuments,
  listSearchedLocations,
  listSearchedUnits,
} from '../../src/features/documents/queries/search-documents.ts';
import { parseSearch } from '../../src/features/documents/rules/search-selection.ts';
import { requireCoveredBank } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { largeDocument, largeDocumentFrom, largeDocumentThrough, searchedBank } from './documents-data.ts';
import { serveFloor } from './serve-floor.ts';

const [kind = '', directory = '', now = ''] = process.argv.slice(2);
const database = openDatabases({ engine: 'sqlite', directory }).forTenant('sund');

function search(): Promise<unknown> {
  const criteria = parseSearch(
    requireCoveredBank(createOperatorScope('sund'), searchedBank),
    {},
    {
      now: Number(now),
      retentionDays: 0,
    },
  );
  return database.read({ deadlineMs: 12_000 }, (db) =>
    Promise.all([
      listSearchedLocations(db, criteria),
      listSearchedUnits(db, criteria),
      countSearchedSettings(db, criteria),
      listFoundDocuments(db, criteria, { offset: 0, limit: 26 }),
    ]),
  );
}

const readSamples = (): Promise<unknown> =>
  database.read({ deadlineMs: 12_000 }, (db) =>
    db
      .selectFrom('state_series as s')
      .innerJoin('state_samples as v', 'v.series_id', 's.series_id')
      .select(['s.name', 'v.at', 'v.value'])
      .where('s.bank_id', '=', largeDocument.bankId)
      .where('s.location_id', '=', largeDocument.locationId)
      .where('s.unit_id', '=', largeDocument.unitId)
      .where('v.at', '>=', largeDocumentFrom)
      .where('v.at', '<=', largeDocumentThrough)
      .orderBy('v.at')
      .execute(),
  );

const answer = { search, samples: readSamples }[kind];
if (answer === undefined) throw new Error(`there is no floor ${kind}`);
serveFloor(answer);
