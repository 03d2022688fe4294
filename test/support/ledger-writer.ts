// A process that writes to the ledger of bank 1001 until it is killed, and prints every acknowledged id: run as `node
// ledger-writer.ts STORAGE`, it writes the first id and the number of each write that was committed, a line each.

import { writeSync } from 'node:fs';
import { readConfig } from '../../src/config.ts';
import { openDatabases } from '../../src/database/databases.ts';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from './account-reads.ts';
import { grantBank } from './granted-banks.ts';

const { storage } = readConfig({ PORTAL_STORAGE: process.argv[2] });
const database = openDatabases(storage).forTenant('sund');
const bankId = 1001;

async function write(round: number): Promise<void> {
  const count = round % 5 === 0 ? 400 : 1 + (round % 3);
  const drafts = Array.from({ length: count }, (_, at) => postingDraft(round * 60_000 + at, { locationId: at % 3 }));
  const first = await database.write({ deadlineMs: 30_000 }, async (db) => {
    if (round % 7 === 6) await lockAndClosePeriod(db, grantBank(bankId), round * 60_000, round * 60_000);
    return lockAndAppendPostings(db, grantBank(bankId), drafts);
  });
  // Written at once, so that no acknowledged id is lost with the process.
  writeSync(1, `${first} ${count}\n`);
}

// Two at a time: the one waits for the other's lock.
async function writer(from: number): Promise<never> {
  for (let round = from; ; round += 2) await write(round);
}
await Promise.all([writer(0), writer(1)]);
