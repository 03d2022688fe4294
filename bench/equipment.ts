// Measures what stores the lines of computers, on SQLite: appending postings and recording samples, a hundred in a
// transaction, against a bare insert of as many rows.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabases } from '../src/database/databases.ts';
import type { TenantDatabase } from '../src/database/tenant-database.ts';
import { recordReports } from '../src/features/documents/queries/record-report.ts';
import { toMs2000 } from '../src/lib/time/ms2000.ts';
import { requireCoveredUnit } from '../src/permissions/coverage.ts';
import { createOperatorScope } from '../src/permissions/scope.ts';
import { openBareInsert } from './support/bare-insert.ts';
import { oneTenantSettings } from './support/demo-service.ts';
import { createAppender, writeAll } from './support/equipment-data.ts';
import { compareRates, reportComparison } from './support/measure.ts';
import { runPortal } from './support/processes.ts';

/** The lines of a request. */
const lines = 100;
const requests = 100;

/** Ten thousand postings a second, where a bare insert does 127,000 rows. */
const leastAppend = { least: 10_000 / 127_000 };

export async function benchmarkEquipment(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  await runPortal(['demo', '--postings', '1000'], oneTenantSettings(`sqlite:${directory}`));
  const databases = openDatabases({ engine: 'sqlite', directory });
  const bare = openBareInsert(join(directory, 'bare.sqlite'));
  try {
    const database = databases.forTenant('sund');
    const insertBare = async () => bare.insert(lines);
    const append = await compareRates(createAppender(database, lines), insertBare, { each: lines, times: requests });
    reportComparison('Postings appended a second, 100 at a time, against a bare insert', append, leastAppend);
    const record = await compareRates(recorder(database), insertBare, { each: lines, times: requests });
    reportComparison('Samples recorded a second, 100 at a time, against a bare insert', record, { least: 0.4 });
  } finally {
    bare.close();
    await databases.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Ten states of a machine, every second. */
function recorder(database: TenantDatabase): () => Promise<void> {
  let at = toMs2000(Date.now());
  const unit = requireCoveredUnit(createOperatorScope('sund'), { bankId: 1001, locationId: 1, unitId: 1 });
  return () => {
    const samples = Array.from({ length: lines }, (_, index) => ({
      name: `State${index % 10}`,
      at: (at += 100),
      value: String((index * 37) % 100),
    }));
    const report = { samples, cycles: [], syncedThrough: at };
    return writeAll(database, (db) => recordReports(db, [{ unit, report }]));
  };
}
