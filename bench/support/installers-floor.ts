// Floors of lists of installers: a bare node:http server that runs only the query of a page through the database layer.
// Run as a process of its own: `installers-floor.ts KIND DIRECTORY`; prints {"port"}.

import { openDatabases } from '../../src/database/databases.ts';
import { listInstallers } from '../../src/features/installers/queries/installers.ts';
import { createInstallerCriteria } from '../../src/features/installers/rules/installer-criteria.ts';
import { requireWholeTenant } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { installerCount } from './installers-data.ts';
import { serveFloor } from './serve-floor.ts';

const [kind = '', directory = ''] = process.argv.slice(2);
const database = openDatabases({ engine: 'sqlite', directory }).forTenant('sund');

const pages: Readonly<Record<string, { readonly filter?: string; readonly offset: number }>> = {
  first: { offset: 0 },
  search: { filter: 'Zachariassen', offset: 0 },
  deepest: { offset: installerCount - 60 },
};
const page = pages[kind];
if (page === undefined) throw new Error(`there is no floor ${kind}`);
const tenant = requireWholeTenant(createOperatorScope('sund'));
const { offset, ...query } = page;
const criteria = createInstallerCriteria({ state: 'all', ...query }, 'sund');

serveFloor(() =>
  database.read({ deadlineMs: 10_000 }, (db) =>
    listInstallers(db, tenant, criteria, { sort: 'name', direction: 'asc', offset, limit: 50 }),
  ),
);
