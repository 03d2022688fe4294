// The floor of the tenant status: a bare node:http server that runs only its two queries, at the same time, through the
// database layer. Run as a process of its own: `tenant-status-floor.ts DIRECTORY`; prints {"port"}.

import { openDatabases } from '../../src/database/databases.ts';
import { listOfflineUnits } from '../../src/features/tenant-status/queries/offline-units.ts';
import { listOutOfOrderUnits } from '../../src/features/tenant-status/queries/out-of-order-units.ts';
import { toMs2000 } from '../../src/lib/ms2000.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { serveFloor } from './serve-floor.ts';

const [directory = ''] = process.argv.slice(2);
const database = openDatabases({ engine: 'sqlite', directory }).forTenant('sund');
const scope = createOperatorScope('sund');
/** The default limit, and one more row that shows whether there are more. */
const limit = 201;

serveFloor(() =>
  Promise.all([
    database.read({ deadlineMs: 10_000 }, (db) => listOfflineUnits(db, scope, { now: toMs2000(Date.now()), limit })),
    database.read({ deadlineMs: 10_000 }, (db) => listOutOfOrderUnits(db, scope, limit)),
  ]),
);
