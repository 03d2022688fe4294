// Floors of lists of installers: a bare node:http server that runs the query of a page through the database layer, and
// nothing around it. Run as a process of its own:
// `installers-floor.ts KIND DIRECTORY`; prints {"port"}.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabases } from '../../src/database/databases.ts';
import { listInstallers } from '../../src/features/installers/queries/installers.ts';
import { createInstallerCriteria } from '../../src/features/installers/rules/criteria.ts';
import { requireWholeTenant } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { installerCount } from './installers-data.ts';

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

const answer = async (): Promise<string> =>
  JSON.stringify(
    await database.read({ deadlineMs: 10_000 }, (db) =>
      listInstallers(db, tenant, criteria, { sort: 'name', direction: 'asc', offset, limit: 50 }),
    ),
  );
const server = createServer((_request, response) => {
  void answer().then((body) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
