// Floors of documents: bare node:http servers that run the queries of a search, or the query of a document's samples,
// with node:sqlite, in two processes. Run as a process of its own: `documents-floor.ts KIND FILE NOW`; prints {"port"}.

import { DatabaseSync } from 'node:sqlite';
import { largeDocument, largeDocumentFrom, largeDocumentThrough, searchedBank } from './documents-data.ts';
import { readerProcesses, serveFloor } from './serve-floor.ts';

const [kind = '', file = '', now = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);

/** Searches the last 31 days of a bank, within the limits of a search. */
function search(): () => unknown {
  const { bankId } = searchedBank;
  const through = Number(now);
  const from = through - 31 * 86_400_000;
  const locations = database.prepare(
    'select location_id, name from locations where bank_id = ? and deleted_at is null order by location_id limit 1001',
  );
  const units = database.prepare(
    `select u.location_id, u.unit_id, u.name, u.unit_type, u.packed_type from units u
     join locations l on l.bank_id = u.bank_id and l.location_id = u.location_id
     where u.bank_id = ? and u.deleted_at is null and l.deleted_at is null
     order by u.location_id, u.unit_id limit 5001`,
  );
  const settings = database.prepare(
    'select count(*) as count from (select name from unit_settings where bank_id = ? limit 35001)',
  );
  // A scalar subquery runs for each Cycle. With a join the planner could begin with the units.
  const documents = database.prepare(
    `select c.location_id, c.unit_id, c.document_id, c.at from document_cycles c
     where c.bank_id = :bankId and c.at between :from and :through
       and 1 = (select count(*) from units u join locations l on l.bank_id = u.bank_id and l.location_id = u.location_id
         where u.bank_id = c.bank_id and u.location_id = c.location_id and u.unit_id = c.unit_id
           and u.deleted_at is null and l.deleted_at is null)
       and c.at = (select max(later.at) from document_cycles later
         where later.bank_id = c.bank_id and later.location_id = c.location_id and later.unit_id = c.unit_id
           and later.document_id = c.document_id and later.at <= :through)
     order by c.at desc, c.location_id, c.unit_id, c.document_id limit 26`,
  );
  return () => [
    locations.all(bankId),
    units.all(bankId),
    settings.all(bankId),
    documents.all({ bankId, from, through }),
  ];
}

function readSamples(): () => unknown {
  const { bankId, locationId, unitId } = largeDocument;
  const samples = database.prepare(
    `select s.name, v.at, v.value from state_series s join state_samples v on v.series_id = s.series_id
     where s.bank_id = ? and s.location_id = ? and s.unit_id = ? and v.at between ? and ? order by v.at`,
  );
  return () => samples.all(bankId, locationId, unitId, largeDocumentFrom, largeDocumentThrough);
}

const createQuery = { search, samples: readSamples }[kind];
if (createQuery === undefined) throw new Error(`there is no floor ${kind}`);
serveFloor(createQuery(), readerProcesses);
