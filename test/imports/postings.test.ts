// Imports of postings through HTTP.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RowError } from '../../src/features/import-kinds/import-kind.ts';
import { permissions } from '../../src/permissions/matrix.ts';
import { insertTestBank, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { applyPlan, csvOf, listRows, planFile, sendFile, undoApplied } from '../support/imports.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const header = ['key', 'at', 'resident', 'unit', 'kind', 'amount', 'text', 'internalTag', 'reverses'];

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  async function newBank(): Promise<{ bankId: number; bankKid: string }> {
    const bankId = suite.nextBankId();
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId });
      await insertTestResident(db, 1001, { bankId });
      await setTenantSetting(db, 'accountingRetentionDays', '400');
    });
    return { bankId, bankKid: `sund-B${bankId}` };
  }
  const options = (bankId: number) => ({ ...manager, kind: 'postings', bankId });
  const plan = (bankId: number, file: string) => planFile(service, file, options(bankId));
  const rowsOf = (kid: string) => listRows(service, kid, manager);
  const fileOf = (bankKid: string): string =>
    csvOf(
      header,
      ['a', '2026-06-01T08:00:00Z', `${bankKid}-R1001`, `${bankKid}-L1-U1`, 'Consumption', '-12.50', 'Wash', '7', ''],
      ['b', '2026-06-02 08:00', `${bankKid}-R1001`, '', 'Payment', '200.00', 'Card', '', ''],
      ['c', '2026-06-03T08:00:00Z', '', `${bankKid}-L1-U2`, 'Consumption', '-5', '', '8', ''],
    );

  test('[imports.13] an amount has the decimals of its currency, that of the row or else of the bank, out and in', async () => {
    const { bankId, bankKid } = await newBank();
    await service.write('sund', (db) =>
      db.updateTable('banks').set({ currency: 'ISK' }).where('bank_id', '=', bankId).execute(),
    );
    const columns = ['key', 'at', 'resident', 'kind', 'amount', 'currency', 'text'];
    const rowOf = (key: string, amount: string, currency: string): string[] => [
      key,
      '2026-06-01T08:00:00Z',
      `${bankKid}-R1001`,
      'Payment',
      amount,
      currency,
      'Card',
    ];
    const wrong = await plan(bankId, csvOf(columns, rowOf('w', '12,50', '')));
    const [refused] = await rowsOf(wrong.kid);
    assert.deepEqual(
      refused?.errors.map(({ field, code }: RowError) => [field, code]),
      [['amount', 'not-an-amount']],
    );
    const planned = await plan(
      bankId,
      csvOf(columns, rowOf('a', '1250', ''), rowOf('b', '12,50', 'dkk'), rowOf('c', '1.5', 'BHD')),
    );
    assert.equal(
      (await applyPlan(service, planned, manager)).state,
      'applied',
      JSON.stringify(await rowsOf(planned.kid)),
    );
    const shown = (await rowsOf(planned.kid)).map(
      ({ changes }: { changes: readonly { field: string; after: string }[] }) =>
        changes.find(({ field }) => field === 'amount')?.after,
    );
    assert.deepEqual(shown, ['1250', '12.50', '1.500']);
    const stored = await service.read('sund', (db) =>
      db
        .selectFrom('postings')
        .select(['amount_minor', 'currency'])
        .where('bank_id', '=', bankId)
        .orderBy('posting_id')
        .execute(),
    );
    assert.deepEqual(
      stored.map(({ amount_minor, currency }) => `${amount_minor} ${currency}`),
      ['1250 ISK', '1250 DKK', '1500 BHD'],
    );
    const reply = await service.call('GET', `/api/v1/exports/postings?bankKid=${bankKid}&for=programs`, manager);
    for (const amount of ['"1250","ISK"', '"12.50","DKK"', '"1.500","BHD"'])
      assert.ok(reply.text.includes(amount), reply.text);
    assert.equal((await plan(bankId, reply.text)).counts.unchanged, 3);
  });

  test('a file is planned, applied, unchanged when it comes again, and undone as far as the rules allow', async () => {
    const bank = await newBank();
    const file = fileOf(bank.bankKid);
    const planned = await plan(bank.bankId, file);
    assert.equal(planned.counts.create, 3);
    const applied = await applyPlan(service, planned, manager);
    assert.equal(applied.state, 'applied');
    assert.deepEqual(
      (await rowsOf(planned.kid)).map(({ objectKid, outcome }) => [objectKid, outcome]),
      [1, 2, 3].map((id) => [`${bank.bankKid}-X${id}`, 'applied']),
    );
    const again = await plan(bank.bankId, file);
    assert.deepEqual(
      (await rowsOf(again.kid)).map(({ action }) => String(action)),
      ['unchanged', 'unchanged', 'unchanged'],
    );
    const changed = await plan(bank.bankId, file.replace('-12.50', '-12.51'));
    const [first] = await rowsOf(changed.kid);
    assert.deepEqual(
      [first?.action, first?.errors.map(({ field, code }: RowError) => [field, code])],
      ['refused', [['amount', 'cannot-change']]],
    );
    const undone = await undoApplied(service, applied, manager);
    assert.equal(undone.state, 'undone');
    assert.deepEqual(
      (await rowsOf(planned.kid)).map(({ outcome, errors }) => [outcome, errors[0]?.code]),
      [
        ['undone', undefined],
        ['kept', 'payment-transfer'],
        ['kept', 'guest-entry'],
      ],
    );
    assert.deepEqual(await verifyBankLedger(service, bank.bankId), []);
  });

  test('what was reversed meanwhile is kept', async () => {
    const bank = await newBank();
    const applied = await applyPlan(service, await plan(bank.bankId, fileOf(bank.bankKid)), manager);
    const reversal = await service.call(
      'POST',
      `/api/v1/banks/${bank.bankKid}/account/${bank.bankKid}-X1/reversal`,
      manager,
    );
    assert.equal(reversal.status, 200);
    const { kid } = await undoApplied(service, applied, manager);
    const [first] = await rowsOf(kid);
    assert.deepEqual([first?.outcome, first?.errors[0]?.code], ['kept', 'changed-since']);
    assert.deepEqual(await verifyBankLedger(service, bank.bankId), []);
  });

  test('an export into another bank, keys and links and all, is the same export there', async () => {
    const [bank, other] = [await newBank(), await newBank()];
    const applied = await applyPlan(service, await plan(bank.bankId, fileOf(bank.bankKid)), manager);
    await undoApplied(service, applied, manager);
    const exportOf = async ({ bankKid }: { bankKid: string }): Promise<string> => {
      const reply = await service.call('GET', `/api/v1/exports/postings?bankKid=${bankKid}&for=programs`, manager);
      assert.equal(reply.status, 200);
      return reply.text;
    };
    const exported = (await exportOf(bank)).replaceAll(`${bank.bankKid}-R`, `${other.bankKid}-R`);
    const moved = exported.replaceAll(`${bank.bankKid}-L`, `${other.bankKid}-L`);
    const planned = await plan(other.bankId, moved);
    const { state } = await applyPlan(service, planned, manager);
    assert.equal(state, 'applied', JSON.stringify(await rowsOf(planned.kid)));
    assert.equal(await exportOf(other), moved);
    assert.deepEqual(await verifyBankLedger(service, other.bankId), []);
  });

  test('an export shows no identity that the account does not show', async () => {
    const bank = await newBank();
    await applyPlan(service, await plan(bank.bankId, fileOf(bank.bankKid)), manager);
    await service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '0'));
    const reply = await service.call('GET', `/api/v1/exports/postings?bankKid=${bank.bankKid}`, manager);
    assert.ok(!reply.text.includes('-R1001'));
    assert.ok(!reply.text.includes('Wash'));
    assert.ok(reply.text.includes('-12.50'));
  });

  test('needs Write of banks and of residents, and the bank as a whole', async () => {
    const bank = await newBank();
    for (const missing of ['Bank.Write', 'User.Write', 'Unit.Read']) {
      const token = await suite.issueToken({ permissions: permissions.filter((each) => each !== missing) });
      const reply = await sendFile(service, fileOf(bank.bankKid), { ...options(bank.bankId), token });
      assert.equal(reply.status, 403, missing);
    }
    const token = await suite.issueToken({ grants: [{ bankId: bank.bankId, locationId: 1 }] });
    assert.equal((await sendFile(service, fileOf(bank.bankKid), { ...options(bank.bankId), token })).status, 403);
  });
});
