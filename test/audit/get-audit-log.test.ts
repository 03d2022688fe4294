// GetAuditLog: who can read the log, what an entry shows, and what filters and pages select.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { appendAudit } from '../../src/features/audit/queries/append-audit.ts';
import { createOperatorAuditContext, type AuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { permissions } from '../../src/permissions/matrix.ts';
import { formatUtc } from '../support/account-oracle.ts';
import { lockAuditsOf, readAuditEntries, recordAudit } from '../support/audit.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { insertTestBank, insertTestManager } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';
import { callSetUnitSetting, unitIds } from '../support/unit-settings.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

type Query = Readonly<Record<string, string | number>>;
type Item = { readonly id: string; readonly [field: string]: unknown };

serviceSuite({ now: testNow, tenants: ['sund', 'fjord'] }, ({ service, manager, issueToken }) => {
  /** Two managers whose entries are recorded. */
  let managerIds: number[];
  before(async () => {
    managerIds = await service.write('sund', async (db) => {
      await insertTestBank(db);
      const managers = [await insertTestManager(db, { name: 'Ada' }), await insertTestManager(db, { name: 'Bo' })];
      return managers.map(({ managerId }) => managerId);
    });
    const operations = ['SetUnitSetting', 'CreateBankUser', 'LoginManager'];
    const objects = ['sund-B1001', 'sund-B1001-L1-U1', 'sund-B1001-R1001'];
    await service.write('sund', async (db) => {
      // Several entries at the same time, in several chains.
      await lockAuditsOf(db, 1001, 1002, 1003, 1004);
      for (let at = 0; at < 60; at += 1) {
        const actor: AuditContext = {
          ...createOperatorAuditContext(operations[at % 3] ?? '', () => testNow - hourMs * (11 - Math.floor(at / 5))),
          ...(at % 4 === 0 ? {} : { kind: 'manager', id: managerIds[at % 2] ?? 0 }),
        };
        const bankId = at % 5 === 0 ? {} : { bankId: 1000 + (at % 5) };
        await appendAudit(db, actor, { object: objects[(at >> 2) % 3] ?? '', ...bankId, before: null, after: null });
      }
    });
  });

  const get = (query: Query = {}, options: CallOptions = manager): Promise<HttpReply> => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return service.call('GET', `/api/v1/audit?${search.toString()}`, options);
  };
  const list = async (query: Query): Promise<Item[]> => {
    const { status, json, text } = await get(query);
    assert.equal(status, 200, text);
    return json.items;
  };
  /** All pages. */
  async function listAll(query: Query): Promise<Item[]> {
    const items: Item[] = [];
    for (let next: Query = {}; ;) {
      const { json } = await get({ ...query, ...next });
      items.push(...json.items);
      if (json.nextCursor === null) return items;
      assert.equal(json.items.length, query.limit ?? 50);
      next = { cursor: json.nextCursor };
    }
  }

  test('an entry says who did what to which object, from where, when, and by which request', async () => {
    const { result } = await recordAudit(service, () =>
      callSetUnitSetting(service, unitIds(), 'MaxSpinSpeed', 1200, manager),
    );
    const [item] = await list({ limit: 1, operation: 'SetUnitSetting', managerKid: `sund-M${manager.managerId}` });
    const { id, ...shown } = item ?? { id: '' };
    assert.match(id, /^1001-\d+$/);
    assert.deepEqual(shown, {
      atUtc: formatUtc(testNow),
      actor: { kind: 'manager', kid: `sund-M${manager.managerId}`, name: `Manager ${manager.managerId}` },
      address: '127.0.0.1',
      operation: 'SetUnitSetting',
      object: 'sund-B1001-L1-U1',
      before: { setting: 'MaxSpinSpeed', value: '1400' },
      after: { setting: 'MaxSpinSpeed', value: '1200' },
      requestId: result.headers['x-request-id'],
      environment: 'production',
    });
  });

  test('an operator has neither KID nor name, address or request', async () => {
    const items = await listAll({});
    const ofOperators = items.filter(({ actor }) => (actor as { kind: string }).kind === 'operator');
    assert.ok(ofOperators.length > 0);
    for (const { actor, address, requestId, environment } of ofOperators)
      assert.deepEqual(
        [actor, address, requestId, environment],
        [{ kind: 'operator', kid: null, name: null }, null, null, null],
      );
  });

  test('filters, single or combined, with any page size, list exactly the matching entries, the newest first', async () => {
    const stored = await readAuditEntries(service);
    const [ada = 0] = managerIds;
    const filters: readonly (readonly [Query, (entry: (typeof stored)[number]) => boolean])[] = [
      [{ managerKid: `sund-M${ada}` }, ({ actor_kind, actor_id }) => actor_kind === 'manager' && actor_id === ada],
      [{ operation: 'CreateBankUser' }, ({ operation }) => operation === 'CreateBankUser'],
      [{ object: 'sund-B1001-L1-U1' }, ({ object }) => object === 'sund-B1001-L1-U1'],
      [{ from: formatUtc(testNow - 8 * hourMs) }, ({ at }) => at >= testNow - 8 * hourMs],
      [{ through: formatUtc(testNow - 3 * hourMs) }, ({ at }) => at <= testNow - 3 * hourMs],
    ];
    for (let chosen = 0; chosen < 2 ** filters.length; chosen += 1) {
      const some = filters.filter((_, at) => (chosen & (1 << at)) !== 0);
      const expected = stored
        .filter((entry) => some.every(([, selects]) => selects(entry)))
        .toSorted((a, b) => b.at - a.at || b.chain - a.chain || b.sequence - a.sequence)
        .map(({ chain, sequence }) => `${chain}-${sequence}`);
      const query: Query = Object.assign({}, ...some.map(([each]) => each));
      for (const limit of chosen === 0 ? [1, 7, 200] : [7]) {
        const items = await listAll({ ...query, limit });
        assert.deepEqual(
          items.map(({ id }) => id),
          expected,
          JSON.stringify(query),
        );
      }
    }
  });

  test('entries that are appended between two pages do not appear twice', async () => {
    const { json } = await get({ limit: 10 });
    await service.write('sund', (db) =>
      appendAudit(
        db,
        createOperatorAuditContext('test', () => testNow),
        { object: 'sund', before: null, after: null },
      ),
    );
    const next = await list({ limit: 10, cursor: json.nextCursor });
    const ids = new Set([...json.items, ...next].map(({ id }: Item) => id));
    assert.equal(ids.size, 20);
  });

  test('reading the log is not recorded', async () => {
    const { entries } = await recordAudit(service, () => list({}));
    assert.deepEqual(entries, []);
  });

  test('a wrong filter, limit or cursor is refused', async () => {
    const wrong: readonly (readonly [Query, string])[] = [
      [{ managerKid: 'sund-M1' }, 'invalid-kid'],
      [{ managerKid: 'fjord-M1001' }, 'invalid-kid'],
      [{ object: 'sund-B1001-R1' }, 'invalid-kid'],
      [{ object: 'Nothing' }, 'invalid-kid'],
      [{ operation: '' }, 'invalid-request'],
      [{ from: '2026-01-01' }, 'invalid-request'],
      [{ through: 'yesterday' }, 'invalid-request'],
      [{ from: '2026-02-01T00:00:00Z', through: '2026-01-01T00:00:00Z' }, 'invalid-request'],
      [{ limit: 0 }, 'invalid-request'],
      [{ limit: 201 }, 'invalid-request'],
      [{ cursor: '' }, 'invalid-request'],
      [{ cursor: 'abc' }, 'invalid-request'],
      [{ cursor: Buffer.from('1.2.3').toString('base64url') }, 'invalid-request'],
      [{ other: 1 }, 'invalid-request'],
    ];
    for (const [query, code] of wrong) {
      const { status, json } = await get(query);
      assert.deepEqual([status, json.code], [400, code], JSON.stringify(query));
    }
  });

  test('the log is for managers of the whole tenant with Managers1 and Managers Read', async () => {
    const refused = async (options: Parameters<typeof issueToken>[0], reason: string): Promise<void> => {
      const { status, json } = await get({}, { token: await issueToken(options) });
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', reason]);
    };
    await refused({ tabs: ['Account2'] }, 'missing-tab');
    await refused({ permissions: permissions.filter((each) => each !== 'Managers.Read') }, 'missing-managers-read');
    await refused({ grants: [{ bankId: 1001, locationId: 0 }] }, 'too-narrow');
    assert.equal((await get({}, {})).status, 401);
    const enough = await issueToken({ tabs: ['Managers1'], permissions: ['Managers.Read'] });
    assert.equal((await get({}, { token: enough })).status, 200);
  });

  test('a token of another tenant is refused', async () => {
    assert.equal((await get({}, { ...manager, host: 'api.fjord.localhost' })).status, 401);
  });

  test('without storage it is 503', async () => {
    const { status } = await callWithoutStorage(service, () => get(), 'audit_entries');
    assert.equal(status, 503);
  });
});
