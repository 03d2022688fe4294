// Many computers of one bank at the same time: their requests, those of managers and those of polls take their locks in one
// order, so that none fails.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyInflow } from '../../src/features/inflow/commands/verify-inflow.ts';
import { createBusyComputers, runBusyComputers } from '../support/busy-computers.ts';
import { grantBank } from '../support/granted-banks.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { serviceSuite } from '../support/service-suite.ts';

const count = 8;
const rounds = 10;

serviceSuite({ replicas: 2 }, ({ service, replicaFor, manager, nextBankId }) => {
  test('both streams of many computers, their polls and changes of settings do not make each other fail', async () => {
    const bankId = nextBankId();
    const computers = await createBusyComputers([service, replicaFor(1)], { bankId, count });
    await runBusyComputers(computers, { rounds, managerToken: manager.token });
    const { differences } = await service.read('sund', (db) => verifyInflow(db, grantBank(bankId)));
    assert.deepEqual(differences, []);
    assert.deepEqual(await verifyBankLedger(service, bankId), []);
    const { length } = await service.read('sund', (db) =>
      db.selectFrom('postings').select('posting_id').where('bank_id', '=', bankId).execute(),
    );
    assert.equal(length, count * 2 * (rounds - rounds / 5));
  });
});
