// Cached responses are sent only to managers who can still read them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank, insertTestResident, createToken } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';

const snapshotMs = 60_000;
const account = '/api/v1/banks/sund-B1001/account';

serviceSuite({ now: testNow, replicas: 2, manager: false }, ({ service: here, replicaFor, onStop }) => {
  /** Another replica: what it writes drops nothing that is kept here. */
  const there = replicaFor(1);
  let clock: ReturnType<typeof mockMonotonicClock>;
  before(async () => {
    await here.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1001);
    });
    clock = mockMonotonicClock();
    onStop(clock.restore);
  });

  const ask = (path: string, token: string, headers = {}): Promise<HttpReply> =>
    here.call('GET', path, { token, headers });
  const revision = async (token: string): Promise<string> => {
    const reply = await ask(`${account}/revision`, token);
    assert.equal(reply.status, 200, reply.text);
    return reply.json.revision;
  };
  const postElsewhere = () =>
    there.write('sund', (db) =>
      lockAndAppendPostings(db, grantBank(1001), [
        {
          recordedAt: testNow,
          locationId: 1,
          unitId: 1,
          residentId: 1001,
          kind: 'Consumption',
          currency: 'DKK',
          amountMinor: -500n,
          text: 'Wash',
        },
      ]),
    );
  const bankWide = { grants: [{ bankId: 1001, locationId: 0 }] };

  test('[auth.10] a cached revision is not given to a manager who may no longer read it', async () => {
    await postElsewhere();
    const reader = await createToken(here, bankWide);
    const barred = await createToken(here, bankWide);
    const ended = await createToken(here, bankWide);
    const narrowed = await createToken(here, bankWide);
    const all = [reader, barred, ended, narrowed];
    const first = await Promise.all(all.map(({ token }) => revision(token)));
    assert.equal(new Set(first).size, 1, 'identical scopes share one answer');

    await there.write('sund', async (db) => {
      await db
        .deleteFrom('manager_permissions')
        .where('manager_id', '=', barred.managerId)
        .where('permission', '=', 'User.Read')
        .execute();
      await db.updateTable('managers').set({ active: 0 }).where('manager_id', '=', ended.managerId).execute();
      await db
        .updateTable('manager_grants')
        .set({ location_id: 2 })
        .where('manager_id', '=', narrowed.managerId)
        .execute();
    });
    await postElsewhere();
    clock.advance(snapshotMs);
    const kept = await revision(reader.token);
    assert.notEqual(kept, first[0]);
    await postElsewhere();
    assert.equal(await revision(reader.token), kept, 'the cache answers those who may read');

    const refused = await ask(`${account}/revision`, barred.token);
    assert.deepEqual([refused.status, refused.json.reason], [403, 'missing-user-read']);
    assert.equal((await ask(`${account}/revision`, ended.token)).status, 401);
    assert.equal((await here.call('GET', `${account}/revision`)).status, 401);
    const other = await revision(narrowed.token);
    assert.ok(other !== kept && other !== first[0], 'a narrower scope has a revision of its own');
    assert.equal(await revision(reader.token), kept, 'and nothing has dropped the cached one');
  });

  test('[auth.10] a current ETag gives 304 only to managers who can still read', async () => {
    const { token, managerId } = await createToken(here, bankWide);
    const { headers } = await ask(account, token);
    const condition = { 'if-none-match': headers.etag ?? 'none' };
    assert.equal((await ask(account, token, condition)).status, 304);
    await there.write('sund', (db) => db.deleteFrom('manager_tabs').where('manager_id', '=', managerId).execute());
    clock.advance(snapshotMs);
    const refused = await ask(account, token, condition);
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.etag, undefined);
    assert.equal((await here.call('GET', account, { headers: condition })).status, 401);
  });

  test("[auth.10] the cached answer for a manager's rights is discarded when the rights change", async () => {
    const { token, managerId } = await createToken(here, bankWide);
    const earlier = await ask('/api/v1/session/me', token);
    assert.equal(earlier.json.operations.GetBankAccount, true);
    assert.equal((await ask('/api/v1/session/me', token)).text, earlier.text);
    await there.write('sund', (db) => db.deleteFrom('manager_grants').where('manager_id', '=', managerId).execute());
    clock.advance(snapshotMs);
    const { json } = await ask('/api/v1/session/me', token);
    assert.equal(json.operations.GetBankAccount, false);
    assert.deepEqual(json.access, { tenantWide: false, banks: [] });
    await there.write('sund', (db) => db.deleteFrom('sessions').where('manager_id', '=', managerId).execute());
    clock.advance(snapshotMs);
    assert.equal((await ask('/api/v1/session/me', token)).status, 401);
  });
});
