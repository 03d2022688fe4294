// The limit of a principal counts once over all processes of the service, without work of the database for those who use
// little of it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { anonymiseTenant } from '../../src/commands/tenants/anonymise.ts';
import type { Databases } from '../../src/database/databases.ts';
import { waitUntil } from '../support/async.ts';
import { createToken } from '../support/factories.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { connectDirectly } from '../support/test-database.ts';
import { minuteMs, testNow } from '../support/times.ts';

const me = '/api/v1/session/me';
const limit = 120;
/** What a process lets through before its first exchange, and between two. */
const [first, step] = [6, 2];
/** What two processes may let through beyond the limit, besides requests that arrive during an exchange. */
const bound = first + step;

type Exchanges = {
  readonly databases: Databases;
  /** Those that name the table of counts. */
  readonly statements: readonly string[];
  /** Resolves when none is under way. */
  settle(): Promise<void>;
};

function watchExchanges(watched: Databases): Exchanges {
  const statements: string[] = [];
  const running = new Set<Promise<unknown>>();
  const databases = recordStatements(watched, ({ sql }) => {
    if (sql.includes('request_counts')) statements.push(sql);
  });
  return {
    statements,
    settle: async () => {
      // An exchange begins in the turn after the request.
      await nextTurn();
      while (running.size > 0) await Promise.allSettled(running);
    },
    databases: {
      ...databases,
      forTenant: (tenant) => {
        const database = databases.forTenant(tenant);
        return {
          ...database,
          write: (options, work) => {
            const written = database.write(options, work);
            running.add(written);
            const end = (): void => void running.delete(written);
            written.then(end, end);
            return written;
          },
        };
      },
    },
  };
}

type Process = TestInstance & Exchanges;

serviceSuite(
  { now: testNow, manager: false, replicas: 2, tenants: ['sund', 'fjord'] },
  ({ engine, service, replicaFor, clock, onStop }) => {
    let processes: readonly [Process, Process];
    const startProcess = async (at: number, { workers = 2, aheadMs = 0 } = {}): Promise<Process> => {
      const replica = replicaFor(at);
      const { config, databases } = replica.dependencies;
      const exchanges = watchExchanges(databases);
      const rateLimit = { principalPerMinute: limit, addressPerMinute: 1_000_000 };
      const instance = await startInstance(replica, {
        config: { ...config, workers, rateLimit },
        databases: exchanges.databases,
        clock: () => replica.dependencies.clock() + aheadMs,
      });
      return { ...instance, ...exchanges };
    };
    before(async () => {
      processes = [await startProcess(0), await startProcess(1)];
      for (const each of processes) onStop(each.stop);
    });

    const issue = async (tenant = 'sund') => ({
      ...(await createToken(service, { tenant })),
      host: `api.${tenant}.localhost`,
    });
    type Caller = Awaited<ReturnType<typeof issue>>;
    /** Whether it was let through, and what is left by its header fields. */
    const ask = async ({ call }: TestInstance, caller: Caller) => {
      const { status, headers, json } = await call('GET', me, caller);
      const [, left, seconds] = /"principal";r=(\d+);t=(\d+)/.exec(String(headers['ratelimit'])) ?? [];
      if (status !== 200) assert.deepEqual([status, json.code], [429, 'too-many-requests']);
      return { isAllowed: status === 200, left: Number(left), seconds: Number(seconds) };
    };
    /** The requests that were let through. */
    const askOften = async (at: Process, caller: Caller, count: number): Promise<number> => {
      let allowed = 0;
      for (let asked = 0; asked < count; asked += 1) {
        if ((await ask(at, caller)).isAllowed) allowed += 1;
        await at.settle();
      }
      return allowed;
    };
    const stored = () => service.read('sund', (db) => db.selectFrom('request_counts').selectAll().execute());

    const orders: Readonly<Record<string, readonly (readonly [at: 0 | 1, count: number])[]>> = {
      'in turns': Array.from({ length: 160 }, (_, at) => [at % 2 === 0 ? 0 : 1, 1]),
      'at one, then at the other': [
        [0, 100],
        [1, 100],
        [0, 100],
      ],
      'a little at one': [
        [0, first - 1],
        [1, 130],
        [0, 10],
      ],
    };
    for (const [name, order] of Object.entries(orders))
      test(`[replicas.07] two processes let through the limit together, and at most a twentieth and a sixtieth more: ${name}`, async () => {
        const caller = await issue();
        let allowed = 0;
        for (const [at, count] of order) allowed += await askOften(processes[at], caller, count);
        assert.ok(allowed >= limit && allowed <= limit + bound, String(allowed));
        for (const each of processes) assert.ok((await ask(each, caller)).left <= bound);
      });

    test('[replicas.07] requests at the same time exceed the limit only by what arrives during an exchange as well', async () => {
      const caller = await issue();
      const atOnce = 10;
      let allowed = 0;
      for (let round = 0; round < 20; round += 1) {
        const replies = await Promise.all(
          Array.from({ length: 2 * atOnce }, (_, at) => ask(processes[at % 2 === 0 ? 0 : 1], caller)),
        );
        allowed += replies.filter(({ isAllowed }) => isAllowed).length;
        await Promise.all(processes.map((each) => each.settle()));
      }
      assert.ok(allowed >= limit && allowed <= limit + bound + 3 * atOnce, String(allowed));
    });

    test('[replicas.07] the header fields tell what is left over all processes', async () => {
      const [here, there] = processes;
      const caller = await issue();
      await askOften(here, caller, 20);
      await askOften(there, caller, first);
      const { left, seconds } = await ask(there, caller);
      assert.equal(left, limit - 20 - first - 1);
      assert.ok(seconds > 0 && seconds <= 60, String(seconds));
    });

    test('[replicas.07] what was used before a restart counts after it', async () => {
      const caller = await issue();
      assert.equal(await askOften(processes[0], caller, limit + 5), limit);
      const restarted = await startProcess(0);
      try {
        assert.equal(await askOften(restarted, caller, 20), first);
      } finally {
        await restarted.stop();
      }
    });

    test('[replicas.07] principals of two tenants with the same id are not counted together', async () => {
      const ofSund = await issue();
      let ofFjord = await issue('fjord');
      while (ofFjord.managerId < ofSund.managerId) ofFjord = await issue('fjord');
      assert.equal(ofFjord.managerId, ofSund.managerId);
      for (const caller of [ofFjord, ofSund]) assert.equal(await askOften(processes[0], caller, limit + 5), limit);
    });

    test('[replicas.07] clocks that differ by a second only divide the requests around a full minute', async () => {
      const ahead = await startProcess(1, { aheadMs: minuteMs });
      try {
        const caller = await issue();
        assert.equal(await askOften(processes[0], caller, limit + 5), limit);
        assert.equal(await askOften(ahead, caller, limit + 5), limit, 'its next minute');
      } finally {
        await ahead.stop();
      }
    });

    test('[replicas.08] who uses less than a twentieth of the limit causes no statement', async () => {
      const earlier = processes.map(({ statements }) => statements.length);
      const callers = await Promise.all(Array.from({ length: 5 }, () => issue()));
      for (const caller of callers)
        for (const each of processes) assert.equal(await askOften(each, caller, first - 1), first - 1);
      assert.deepEqual(
        processes.map(({ statements }) => statements.length),
        earlier,
      );
      const principals = (await stored()).map(({ principal }) => principal);
      for (const { managerId } of callers) assert.ok(!principals.includes(String(managerId)));
    });

    test('[replicas.08] who uses the whole limit causes at most sixty writes a minute, and refused requests none', async () => {
      const [here] = processes;
      const caller = await issue();
      const earlier = here.statements.length;
      await askOften(here, caller, limit + 50);
      const inserted = here.statements.slice(earlier).filter((sql) => sql.startsWith('insert'));
      assert.ok(inserted.length > 50 && inserted.length <= 60, String(inserted.length));
    });

    test('[replicas.08] counts are deleted after their minute, by later ones or by anonymise', async () => {
      const principalsStored = async () => new Set((await stored()).map(({ principal }) => principal));
      const [early, late] = [await issue(), await issue()];
      await askOften(processes[0], early, 10);
      assert.ok((await principalsStored()).has(String(early.managerId)));
      clock.now += 5 * minuteMs;
      await askOften(processes[1], late, 10);
      await waitUntil('the early one is deleted', async () => !(await principalsStored()).has(String(early.managerId)));
      assert.ok((await principalsStored()).has(String(late.managerId)));
      await anonymiseTenant(service.dependencies.databases.forTenant('sund'), 'sund', {});
      assert.deepEqual(await stored(), []);
    });

    test('[replicas.09] while the database does not answer, each process goes on with its own limit, and afterwards they count together', async () => {
      const [here, there] = processes;
      const [caller, other] = [await issue(), await issue()];
      for (const each of [caller, other]) assert.equal(await askOften(here, each, 1), 1, 'its session is known');
      const outsider = await connectDirectly(service.dependencies.config.storage);
      const isSqlite = outsider.engine === 'sqlite';
      await outsider.run(isSqlite ? 'begin immediate' : 'lock tables request_counts write');
      const askAtOnce = async (at: Process, by: Caller, count: number): Promise<number> => {
        const replies = [];
        for (let asked = 0; asked < count; asked += 1) replies.push(await ask(at, by));
        return replies.filter(({ isAllowed }) => isAllowed).length;
      };
      try {
        assert.equal(await askAtOnce(here, caller, 49), 49);
        assert.equal(await askAtOnce(there, caller, 50), 50);
        assert.equal(await askAtOnce(here, other, limit + 5), limit - 1);
        // They fail at their deadline.
        for (const each of processes) await each.settle();
      } finally {
        await outsider.run(isSqlite ? 'rollback' : 'unlock tables');
        await outsider.close();
      }
      const isOfCaller = ({ principal, requests }: { principal: string; requests: number }): boolean =>
        principal === String(caller.managerId) && requests >= 49;
      await waitUntil('both are stored', async () => (await stored()).filter(isOfCaller).length === 2, 20_000);
      const more = (await askOften(here, caller, 50)) + (await askOften(there, caller, 50));
      assert.ok(more <= limit - 100 + bound, String(more));
    });

    if (engine === 'sqlite')
      test('[replicas.08] a process of SQLite without workers is alone, and causes no statement at all', async () => {
        const alone = await startProcess(0, { workers: 1 });
        try {
          assert.equal(await askOften(alone, await issue(), limit + 5), limit);
          assert.deepEqual(alone.statements, []);
        } finally {
          await alone.stop();
        }
      });
  },
);
