// Floors of lists of managers: a bare node:http server that runs only the query of a page through the database layer.
// Run as a process of its own: `managers-floor.ts KIND DIRECTORY`; prints {"port"}.

import { openDatabases } from '../../src/database/databases.ts';
import { listManagers } from '../../src/features/manager-administration/queries/managers.ts';
import { createManagerCriteria } from '../../src/features/manager-administration/rules/manager-criteria.ts';
import { requireWholeTenant } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { managerCount } from './managers-data.ts';
import { serveFloor } from './serve-floor.ts';

const [kind = '', directory = ''] = process.argv.slice(2);
const database = openDatabases({ engine: 'sqlite', directory }).forTenant('sund');
const tenant = requireWholeTenant(createOperatorScope('sund'));

const pages: Readonly<Record<string, { readonly filter?: string; readonly offset: number }>> = {
  first: { offset: 0 },
  search: { filter: 'Zachariassen', offset: 0 },
  deepest: { offset: managerCount - 60 },
};
const page = pages[kind];
if (page === undefined) throw new Error(`there is no floor ${kind}`);
const { filter = '', offset } = page;
const criteria = createManagerCriteria({ state: 'all', filter }, 'sund');

serveFloor(() =>
  database.read({ deadlineMs: 10_000 }, (db) =>
    listManagers(db, tenant, criteria, { sort: 'name', direction: 'asc', offset, limit: 50 }),
  ),
);
