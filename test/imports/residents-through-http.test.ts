// What only imports of residents have, through HTTP: residents and tags of others, empty cells, what keeps a resident from
// being deleted again, and exports that read back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertBooking } from '../support/bookings.ts';
import { applyPlan, csvOf, listRows, planFile, undoApplied } from '../support/imports.ts';
import { createUser, executeUserCommand } from '../support/resident-calls.ts';
import { createBankOfResidents } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId }) => {
  async function createBank(residents = 1) {
    const bankId = nextBankId();
    await createBankOfResidents(
      service,
      bankId,
      Array.from({ length: residents }, () => ({})),
    );
    const kid = (residentId: number): string => `sund-B${bankId}-R${residentId}`;
    const plan = (...rows: readonly string[][]): Promise<HttpReply['json']> =>
      planFile(service, csvOf(...rows), { ...manager, kind: 'residents', bankId });
    return { bankId, kid, plan, options: { bankId, token: manager.token } };
  }
  const codesOf = async (planned: HttpReply['json']): Promise<string[]> => {
    const rows = await listRows(service, planned.kid as string, manager);
    return rows.map(
      ({ action, errors }) =>
        `${action} ${errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`).join(', ')}`,
    );
  };

  test('[imports.22] a resident of another bank, or a deleted one, is refused; the tags of other banks are taken', async () => {
    const [{ bankId, kid, plan, options }, other] = [await createBank(2), await createBank()];
    const tag = `F${bankId}A1`;
    await createUser(service, { keys: [tag] }, other.options);
    assert.equal((await executeUserCommand(service, 1002, { command: 'Delete' }, options)).status, 200);
    const planned = await plan(
      ['key', 'kid', 'name', 'tags'],
      ['k1', other.kid(1001), 'Ada', ''],
      ['k2', kid(1002), 'Ada', ''],
      ['k3', '', 'Ada', tag],
      ['k4', kid(1001), 'Ada', `F${bankId}B1`],
      ['k5', '', 'Bo', `F${bankId}B1`],
      ['k6', `fjord-B${bankId}-R1001`, 'Ada', ''],
    );
    assert.deepEqual(await codesOf(planned), [
      'refused kid unknown-object',
      'refused  deleted, kid unknown-object',
      'refused tags taken',
      'update ',
      'refused tags repeated',
      'refused kid invalid',
    ]);
  });

  test('[imports.23] undo keeps a new resident who has a booking by now', async () => {
    const { bankId, plan } = await createBank(0);
    const applied = await applyPlan(service, await plan(['key', 'name'], ['k1', 'Booked'], ['k2', 'Unused']), manager);
    assert.equal(applied.state, 'applied', JSON.stringify(applied));
    await insertBooking(service, { residentId: 1001 }, bankId);
    const undone = await undoApplied(service, applied, manager);
    assert.deepEqual([undone.outcomes.undone, undone.outcomes.kept], [1, 1]);
    const [kept] = await listRows(service, applied.kid as string, manager, 'outcome=kept');
    assert.deepEqual([kept.key, kept.errors[0].code], ['k1', 'in-use']);
  });

  test('an empty cell clears a field, and a column that the file lacks leaves it as it is', async () => {
    const { plan } = await createBank(0);
    const header = ['key', 'name', 'email', 'phone', 'apartment', 'location', 'state'];
    const first = await plan(header, ['k1', 'Ada', 'ada@example.org', '12345678', '1', 'Location 1', 'disabled']);
    await applyPlan(service, first, manager);
    const second = await plan(['key', 'email', 'location', 'state'], ['k1', '', '', '']);
    const [row] = await listRows(service, second.kid as string, manager);
    assert.deepEqual(
      row.changes.map(({ field, after }: Record<string, string>) => [field, after]),
      [
        ['email', ''],
        ['location', ''],
        ['state', 'active'],
      ],
    );
    assert.equal((await applyPlan(service, second, manager)).outcomes.applied, 1);
    const third = await plan(['key', 'name', 'phone', 'apartment'], ['k1', 'Ada', '+45 12 34 56 78', '1']);
    assert.equal(third.counts.unchanged, 1);
  });

  test('[imports.24] an export, with its keys, reads back without a change, also in another order of columns', async () => {
    const { bankId, plan } = await createBank(3);
    const rows = Array.from({ length: 30 }, (_, at) => [
      `k${at}`,
      `=Example "${at}"`,
      `r${at}@example.org`,
      at % 2 === 0 ? 'Location 2' : '',
      at % 3 === 0 ? `F${bankId}C${at} F${bankId}D${at}` : '',
    ]);
    await applyPlan(service, await plan(['key', 'name', 'email', 'location', 'tags'], ...rows), manager);
    const path = `/api/v1/exports/residents?bankKid=sund-B${bankId}`;
    for (const reader of ['spreadsheets', 'programs']) {
      const { status, text } = await service.call('GET', `${path}&for=${reader}`, manager);
      assert.equal(status, 200, text);
      const planned = await planFile(service, text, { ...manager, kind: 'residents', bankId });
      // Those who have no key yet get their KIDs.
      assert.deepEqual([planned.counts.unchanged, planned.counts.update], [30, 3], reader);
    }
  });
});
