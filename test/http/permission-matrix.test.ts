// Calls every operation with generated managers (Tabs, permissions, grants, activity): each answer equals that of an
// oracle, which reads only the declared rights of the operation.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { insertManagers, readNextManagerId } from '../../src/features/managers/queries/insert-managers.ts';
import { hashToken } from '../../src/features/sessions/rules/session-token.ts';
import type { ManagerOperation } from '../../src/http/operations/operation.ts';
import { needsOf, isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { permissions, tabs, type Permission, type Tab } from '../../src/permissions/matrix.ts';
import { sundHost } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import {
  allRights,
  bankWide,
  exampleTargetOf,
  listByValue,
  oneLocation,
  tenantWide,
  type Grant,
  type ManagerRights,
} from '../support/operation-authorization.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs } from '../support/times.ts';

type DrawnManager = ManagerRights & { readonly active: boolean };
type Answer = { readonly status: number; readonly code?: string | undefined; readonly reason?: string | undefined };

const elsewhere: Grant = { bankId: 1002, locationId: 0 };
const grantSets: readonly (readonly Grant[])[] = [[tenantWide], [bankWide], [oneLocation], [elsewhere], []];

const mostly = <T>(all: readonly T[]): fc.Arbitrary<readonly T[]> =>
  fc.oneof(
    fc.constant(all),
    fc.constantFrom(...all).map((left) => all.filter((each) => each !== left)),
    fc.subarray([...all]),
  );
const anyManager: fc.Arbitrary<DrawnManager> = fc.record({
  tabs: mostly<Tab>(tabs),
  permissions: mostly<Permission>(permissions),
  grants: fc.constantFrom(...grantSets),
  active: fc.constantFrom(true, true, true, true, true, false),
});

const covers = (grants: readonly Grant[], level: string): boolean => {
  const has = (wanted: Grant): boolean => grants.includes(wanted);
  if (level === 'none' || has(tenantWide)) return true;
  if (level === 'tenant') return false;
  return has(bankWide) || has(elsewhere) || (level === 'location' && has(oneLocation));
};

/** The refusal of the guard; undefined if it accepts the manager. */
function refusalOf({ access }: ManagerOperation, manager: DrawnManager): Answer | undefined {
  if (!manager.active) return { status: 401, code: 'unauthenticated' };
  const needs = needsOf(access);
  const refuse = (missing: Parameters<NonNullable<typeof access.missingRightProblem>>[0], reason: string): Answer => ({
    status: 403,
    ...(access.missingRightProblem?.(missing) ?? { code: 'forbidden', reason }),
  });
  if (needs.tabs.length > 0 && needs.tabs.every((tab) => !manager.tabs.includes(tab)))
    return refuse({ kind: 'tab', tabs: needs.tabs }, 'missing-tab');
  for (const permission of needs.permissions)
    if (!manager.permissions.includes(permission))
      return refuse({ kind: 'permission', permission }, `missing-${permission.split('.').join('-').toLowerCase()}`);
  const { grantLevel } = needs;
  return covers(manager.grants, grantLevel) ? undefined : refuse({ kind: 'scope', grantLevel }, 'too-narrow');
}

serviceSuite({ manager: false }, ({ service }) => {
  let operations: ManagerOperation[];
  before(async () => {
    operations = createOperations(service.dependencies).operations.filter(isManagerOperation);
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestBank(db, { bankId: 1002 });
    });
  });

  /** A token for each of them. */
  async function insert(managers: readonly DrawnManager[]): Promise<{ token: string; managerId: number }[]> {
    const now = toMs2000(service.dependencies.clock());
    return service.write('sund', async (db) => {
      const first = await readNextManagerId(db);
      const drawn = managers.map((manager, at) => ({
        manager,
        managerId: first + at,
        token: crypto.randomUUID(),
        credentialStamp: 'stamp',
      }));
      await insertManagers(
        db,
        drawn.map(({ manager, managerId, credentialStamp }) => ({
          ...manager,
          managerId,
          credentialStamp,
          userName: `drawn${managerId}`,
          name: `Drawn ${managerId}`,
          email: '',
          organisation: '',
          personIcon: 'person',
          passwordHash: 'none',
          retentionDays: null,
        })),
      );
      const sessions = drawn.map(({ managerId, token, credentialStamp }) => ({
        token_hash: hashToken(token),
        manager_id: managerId,
        environment: 'production',
        credential_stamp: credentialStamp,
        created_at: now,
        expires_at: now + hourMs,
      }));
      await db.insertInto('sessions').values(sessions).execute();
      return drawn;
    });
  }

  /** Without a new connection, which would take most of the time. */
  async function ask(operation: ManagerOperation, token: string): Promise<Answer> {
    const { statusCode: status, body } = await service.app.inject({
      method: operation.method,
      url: exampleTargetOf(operation),
      headers: { host: sundHost, authorization: `Bearer ${token}` },
    });
    const { code, reason } = status < 400 ? {} : (JSON.parse(body) as Answer);
    return { status, code, reason };
  }

  const keyOf = (operation: ManagerOperation): string => `${operation.method} ${exampleTargetOf(operation)}`;

  /** Whether the operation ends the session. */
  const endsSession = ({ id }: ManagerOperation): boolean => id === 'LogoutManager';

  /** The expected answer to a manager whom the guard accepts, from the answer to a manager with all rights. */
  function assertAccepted(operation: ManagerOperation, manager: DrawnManager, reply: Answer, ofAll: Answer): void {
    const label = `${operation.id} ${JSON.stringify(manager)}: ${JSON.stringify(reply)}`;
    const isOutOfSight = manager.grants.includes(elsewhere) && /B1001/.test(exampleTargetOf(operation));
    if (!isOutOfSight || ofAll.status === 400) return assert.deepEqual(reply, ofAll, label);
    if (reply.code === 'forbidden') assert.equal(reply.reason, 'missing-bank-read', label);
    else assert.deepEqual([reply.status, reply.code], [404, 'not-found'], label);
  }

  /** GetCurrentManager lists the operations that accept the manager; logout accepts everybody. */
  async function assertListed(token: string, manager: DrawnManager, accepted: ReadonlySet<string>): Promise<void> {
    const me = await service.call('GET', '/api/v1/session/me', { token });
    assert.deepEqual(
      operations.map(({ id }) => id).filter((id) => me.json.operations[id] === true),
      operations.filter((each) => accepted.has(each.id) || endsSession(each)).map(({ id }) => id),
      JSON.stringify(manager),
    );
  }

  test('[auth.07, auth.38, auth.39] every operation answers generated managers exactly as an oracle expects, and GetCurrentManager lists those that accept them', async () => {
    const all: DrawnManager = { ...allRights, active: true };
    // Every operation refuses some of these managers, and accepts one.
    const certain: DrawnManager[] = [all, { ...all, active: false }, { ...all, tabs: [], permissions: [], grants: [] }];
    const sample = fc.sample(anyManager, { numRuns: service.engine === 'sqlite' ? 60 : 15, seed: Date.now() });
    const drawn = [...certain, ...sample];
    const [reference, ...tokens] = await insert([all, ...drawn]);
    const asked = operations.filter((each) => !endsSession(each));
    const ofAll = new Map<string, Answer>();
    for (const each of asked.flatMap(listByValue)) ofAll.set(keyOf(each), await ask(each, reference?.token ?? ''));
    const outcomes = new Map<string, Set<number>>();
    for (const [at, manager] of drawn.entries()) {
      const { token = '' } = tokens[at] ?? {};
      const accepted = new Set<string>();
      for (const operation of asked)
        for (const each of listByValue(operation)) {
          const reply = await ask(each, token);
          const refusal = refusalOf(each, manager);
          if (refusal === undefined) {
            accepted.add(operation.id);
            assertAccepted(each, manager, reply, ofAll.get(keyOf(each)) ?? reply);
          } else assert.deepEqual(reply, { reason: undefined, ...refusal }, `${each.id} ${JSON.stringify(manager)}`);
          outcomes.set(each.id, (outcomes.get(each.id) ?? new Set<number>()).add(reply.status));
        }
      if (manager.active) await assertListed(token, manager, accepted);
      // Last, because it ends the session.
      for (const operation of operations.filter(endsSession)) {
        const reply = await ask(operation, token);
        const refusal = refusalOf(operation, manager) ?? { status: 204, code: undefined };
        assert.deepEqual(reply, { reason: undefined, ...refusal }, `${operation.id} ${JSON.stringify(manager)}`);
        assert.equal((await ask(operation, token)).status, 401, 'the session is over');
        outcomes.set(operation.id, (outcomes.get(operation.id) ?? new Set<number>()).add(reply.status));
      }
    }
    for (const [id, statuses] of outcomes)
      assert.ok(statuses.size > 1, `${id} answered nothing but ${[...statuses].join()}`);
  });

  test('[auth.08] a snapshot of rights is used for less than sixty seconds, at every operation', async () => {
    const clock = mockMonotonicClock();
    try {
      const nothing: DrawnManager = { tabs: [], permissions: [], grants: [], active: true };
      const [given] = await insert([{ ...allRights, active: true }]);
      const { token, managerId } = given ?? assert.fail('nobody was inserted');
      const asked = operations.filter((each) => !endsSession(each)).flatMap(listByValue);
      for (const each of asked) assert.notEqual((await ask(each, token)).status, 403, each.id);
      await service.write('sund', async (db) => {
        for (const table of ['manager_tabs', 'manager_permissions', 'manager_grants'] as const)
          await db.deleteFrom(table).where('manager_id', '=', managerId).execute();
      });
      for (const each of asked.filter(({ method }) => method === 'GET'))
        assert.notEqual((await ask(each, token)).status, 403, `${each.id}, of the snapshot`);
      clock.advance(60_000);
      for (const each of asked) {
        const refusal = refusalOf(each, nothing);
        if (refusal !== undefined) assert.deepEqual(await ask(each, token), { reason: undefined, ...refusal }, each.id);
      }
    } finally {
      clock.restore();
    }
  });
});
