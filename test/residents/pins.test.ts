// PINs of residents: stored as a hash that only the PIN itself matches, and never answered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executeUserCommand, getWorkspace, usersPath } from '../support/resident-calls.ts';
import { createBankOfResidents, residentTables } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, ({ service, manager, nextBankId }) => {
  const readHash = async (bankId: number): Promise<string | null> => {
    const rows = await service.read('sund', (db) =>
      db.selectFrom('residents').select('pin_hash').where('bank_id', '=', bankId).execute(),
    );
    return rows[0]?.pin_hash ?? null;
  };

  test('[residents.16] SetPin stores an argon2 hash of the PIN, a new one each time, and the workspace shows only that there is a PIN', async () => {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId);
    const options = { bankId, token: manager.token };
    const pin = '90817263';
    const texts: string[] = [];
    const hashes = new Set<string | null>();
    for (const [at, value] of [pin, pin, '4713', ''].entries()) {
      const expectedRevision = String(at + 1);
      const reply = await executeUserCommand(service, 1001, { command: 'SetPin', value, expectedRevision }, options);
      assert.deepEqual([reply.status, reply.json.flags], [200, value === '' ? [] : ['HasPin']]);
      const hash = await readHash(bankId);
      hashes.add(hash);
      texts.push(reply.text, (await getWorkspace(service, 1001, options)).text);
      texts.push((await service.call('GET', usersPath(bankId), manager)).text);
      texts.push((await service.call('GET', `${usersPath(bankId)}/export.csv`, manager)).text);
      const rows = await service.read('sund', (db) => readTableRows(db, residentTables, bankId));
      for (const text of [...texts, JSON.stringify(rows)]) assert.ok(!text.includes(pin));
      for (const text of texts) assert.ok(!text.includes('argon2'));
      if (value === '') {
        assert.equal(hash, null);
        continue;
      }
      assert.match(String(hash), /^\$argon2id\$/);
      const { passwordHasher } = service.dependencies;
      assert.equal(await passwordHasher.verify(value, String(hash)), true);
      assert.equal(await passwordHasher.verify(value === pin ? '4713' : pin, String(hash)), false);
    }
    assert.equal(hashes.size, 4);
  });
});
