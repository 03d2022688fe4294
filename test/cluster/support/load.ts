// The load on a deployment: writers of each kind, logins, imports, computers and readers, all through the balancer. What
// the service has acknowledged is remembered; afterwards each of it must be stored exactly once.

import assert from 'node:assert/strict';
import type { TenantDatabase } from '../../../src/database/tenant-database.ts';
import { lockAndAppendPostings } from '../../../src/features/account/queries/ledger.ts';
import { createPasswordHasher } from '../../../src/features/passwords/process/password-hasher.ts';
import { createSeededRandom, type Random } from '../../../demo/random.ts';
import { toMs2000 } from '../../../src/lib/time/ms2000.ts';
import { readArrivedLines, requireEachOnce } from '../../inflow/campaign/arrived-lines.ts';
import { CampaignComputer } from '../../inflow/campaign/campaign-computer.ts';
import { postingDraft } from '../../support/account-reads.ts';
import { waitUntil } from '../../support/async.ts';
import { createBookableBank, insertBooking } from '../../support/bookings.ts';
import { insertEnrolledComputer } from '../../support/enrolled-computers.ts';
import { createToken, insertTestBank, insertTestManager, insertTestResident } from '../../support/factories.ts';
import { grantBank } from '../../support/granted-banks.ts';
import { dayMs, hourMs } from '../../support/times.ts';
import { clusterTenant, patienceMs, type Deployment } from './deployment.ts';
import { ImportClient } from './import-client.ts';
import { LoginClient } from './login-client.ts';
import { WriteClient, type LoadClient, type LoadLog } from './load-client.ts';
import { createWriters } from './writers.ts';

export type Load = {
  readonly log: LoadLog;
  /** Waits until every client was served again. */
  waitForProgress(): Promise<void>;
  /** The longest time without an acknowledged write from a moment on, in milliseconds. */
  longestPauseMs(fromMs: number): number;
  /** Of each kind of answer, how many the computers have got. */
  countComputerAnswers(): Map<string, number>;
  /** Lets every client end what it has begun. */
  finish(): Promise<void>;
  /** Ends every client, whatever it does. */
  abandon(): Promise<void>;
  /** How many acknowledged writes are not stored, by the audit log. */
  countLost(): Promise<number>;
  /** Throws where something acknowledged is missing, something is stored twice, or an answer was not true. */
  requireTrue(): Promise<void>;
};

const deadline = { deadlineMs: 60_000 };
const postingCount = 5000;
const computerCount = 2;
const banksPerLoad = 2;
const password = 'a long and secret passphrase';

/** Each load has banks and managers of its own, so that `number` differs from that of every other load. */
export async function startLoad(deployment: Deployment, number: number, seed: string): Promise<Load> {
  const database = deployment.databases.forTenant(clusterTenant);
  const bankId = 2001 + banksPerLoad * number;
  const log: LoadLog = {
    doneAtMs: [],
    statuses: new Map(),
    failures: [],
    unknown: 0,
    late: 0,
    reads: 0,
    problems: [],
  };
  const abandoning = new AbortController();
  const clients = await createClients(deployment, database, { bankId, number, log, abandoned: abandoning.signal });
  const computers = await createComputers(deployment, database, bankId + 1, createSeededRandom(`${seed}/${number}`));
  const ending = new AbortController();
  const running = [
    ...clients.map((client) => client.run(ending.signal)),
    ...computers.flatMap((each) => [each.run('money'), each.run('samples')]),
  ];
  const all = Promise.all(running);
  // Whatever ends before its time has failed: who waits for progress would wait for nothing.
  all.catch((error: unknown) => {
    if (!abandoning.signal.aborted) log.problems.push(String(error));
  });
  const requireSound = (): void => assert.deepEqual(log.problems.slice(0, 10), []);
  return {
    log,
    waitForProgress: async () => {
      const before = clients.map(({ done }) => done);
      await waitUntil(
        'every client is served',
        () => {
          requireSound();
          return clients.every(({ done }, at) => done >= (before[at] ?? 0) + 2);
        },
        patienceMs,
      );
    },
    longestPauseMs: (fromMs) => {
      const times = [fromMs, ...log.doneAtMs.filter((at) => at >= fromMs), performance.now()];
      return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
    },
    countComputerAnswers: () => {
      const counts = new Map<string, number>();
      for (const { answers } of computers)
        for (const [answer, count] of answers) counts.set(answer, (counts.get(answer) ?? 0) + count);
      return counts;
    },
    finish: async () => {
      ending.abort();
      for (const each of computers) each.finish();
      await all;
      requireSound();
    },
    abandon: async () => {
      abandoning.abort();
      for (const each of computers) each.abandon();
      await Promise.allSettled(running);
    },
    countLost: async () => {
      const lost = await Promise.all(clients.map((client) => client.countLost(database)));
      return lost.reduce((sum, each) => sum + each, 0);
    },
    requireTrue: async () => {
      for (const client of clients) await client.requireStored(database);
      requireEachOnce(computers, await database.read(deadline, (db) => readArrivedLines(db, bankId + 1)));
      requireSound();
    },
  };
}

type ClientsInput = {
  readonly bankId: number;
  readonly number: number;
  readonly log: LoadLog;
  readonly abandoned: AbortSignal;
};

async function createClients(
  deployment: Deployment,
  database: TenantDatabase,
  { bankId, number, log, abandoned }: ClientsInput,
): Promise<LoadClient[]> {
  const service = {
    write: <T>(_tenant: string, work: Parameters<typeof database.write<T>>[1]) => database.write<T>(deadline, work),
    dependencies: { clock: Date.now },
  };
  const now = toMs2000(Date.now());
  await createBookableBank(service, { bankId, places: { 1: [1, 2, 3, 4] } });
  const draft = { startAt: now - (now % hourMs) + 30 * dayMs, createdAt: now - dayMs };
  const eventId = await insertBooking(service, draft, bankId, now - dayMs);
  const firstPostingId = await database.write(deadline, async (db) => {
    await insertEnrolledComputer(db, { bankId, units: [[1, 2]] });
    const drafts = Array.from({ length: postingCount }, (_, at) => postingDraft(now - hourMs - at, { internalTag: 1 }));
    return lockAndAppendPostings(db, grantBank(bankId), drafts);
  });
  const { managerId: otherManagerId } = await createToken(service);
  const shared = { send: deployment.send, log, abandoned };
  const createManager = (): Promise<{ token: string; managerId: number }> =>
    createToken(service, { livesMs: 12 * hourMs });
  const clients: LoadClient[] = [];
  for (const writer of createWriters({ bankId, firstPostingId, eventId, otherManagerId }))
    clients.push(new WriteClient({ ...shared, ...(await createManager()), writer }));
  clients.push(new ImportClient({ ...shared, ...(await createManager()), bankId }));
  const userName = `login${number}`;
  const passwordHash = await createPasswordHasher().hash(password);
  const { managerId } = await database.write(deadline, (db) => insertTestManager(db, { userName, passwordHash }));
  clients.push(new LoginClient({ ...shared, managerId, userName, password, bankId }));
  return clients;
}

async function createComputers(
  { port }: Deployment,
  database: TenantDatabase,
  bankId: number,
  random: Random,
): Promise<CampaignComputer[]> {
  const ids = Array.from({ length: computerCount }, (_, at) => at + 1);
  const tag = `04A2${bankId}`;
  const keys = await database.write(deadline, async (db) => {
    await insertTestBank(db, { bankId, places: { 1: ids } });
    await insertTestResident(db, 1001, { bankId });
    await db
      .insertInto('resident_keys')
      .values({ bank_id: bankId, resident_id: 1001, key_number: tag, kind: 'Tag', added_at: 0, held_number: tag })
      .execute();
    const made: string[] = [];
    for (const computerId of ids)
      made.push(await insertEnrolledComputer(db, { bankId, computerId, units: [[1, computerId]] }));
    return made;
  });
  return keys.map(
    (key, at) =>
      new CampaignComputer({
        id: bankId * 10 + at,
        key,
        unitKid: `sund-B${bankId}-L1-U${at + 1}`,
        tags: [tag],
        port,
        random: createSeededRandom(`${random.int(0, 2 ** 30)}`),
        lineCount: Number.MAX_SAFE_INTEGER,
        restMs: 200,
        maxFailures: 10_000,
      }),
  );
}
