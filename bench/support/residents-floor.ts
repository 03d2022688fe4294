// Floors of lists of residents: a bare node:http server that runs only the query of a page through the database layer.
// Run as a process of its own: `residents-floor.ts KIND DIRECTORY`; prints {"port"}.

import { openDatabases } from '../../src/database/databases.ts';
import { listResidents } from '../../src/features/resident-administration/queries/residents.ts';
import { createResidentCriteria } from '../../src/features/resident-administration/rules/resident-criteria.ts';
import { toMs2000 } from '../../src/lib/ms2000.ts';
import { requireCoveredBank } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { fullBank } from './residents-data.ts';
import { serveFloor } from './serve-floor.ts';

type Page = { readonly filter?: string; readonly offset: number; readonly limit: number };

const [kind = '', directory = ''] = process.argv.slice(2);
const database = openDatabases({ engine: 'sqlite', directory }).forTenant('sund');

function createPageQuery({ bankId }: { readonly bankId: number }, { filter = '', ...page }: Page) {
  const bank = requireCoveredBank(createOperatorScope('sund'), { bankId });
  const now = toMs2000(Date.now());
  const criteria = createResidentCriteria({ state: 'all', filter }, { bank, retentionDays: 0, now });
  return () =>
    database.read({ deadlineMs: 10_000 }, (db) =>
      listResidents(db, criteria, { sort: 'name', direction: 'asc', ...page }),
    );
}

function createAnswer(): () => Promise<unknown> {
  const pages: Readonly<Record<string, Page>> = {
    first: { offset: 0, limit: 50 },
    search: { filter: 'Zachariassen', offset: 0, limit: 50 },
    deepest: { offset: fullBank.residents - 60, limit: 50 },
  };
  const page = pages[kind];
  if (page === undefined) throw new Error(`there is no floor ${kind}`);
  return createPageQuery(fullBank, page);
}

serveFloor(createAnswer());
