// Lists and exports of random residents, who were created and changed through the interface, against an oracle.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvTable } from '../support/csv.ts';
import { createUser, executeUserCommand, usersPath } from '../support/resident-calls.ts';
import {
  anyQuestion,
  anyResident,
  listModel,
  type DrawnResident,
  type ModelResident,
} from '../support/resident-oracle.ts';
import { createBankOfResidents } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const residentCount = 16;

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId }) => {
  /** Half of the residents get their texts by commands. */
  async function create(bankId: number, id: number, drawn: DrawnResident): Promise<ModelResident> {
    const { name, email, apartment, phone, key, locationId, state } = drawn;
    const options = { bankId, token: manager.token };
    const locationKid = locationId === null ? null : `sund-B${bankId}-L${locationId}`;
    const isChanged = id % 2 === 0;
    const texts = { name, email, apartment, phone: phone.typed };
    const created = await createUser(service, isChanged ? { locationKid } : { ...texts, locationKid }, options);
    assert.deepEqual([created.status, created.json.user?.kid], [201, `sund-B${bankId}-R${id}`], created.text);
    const setters = [
      { command: 'SetName', value: name },
      { command: 'SetEmail', value: email },
      { command: 'SetApartment', value: apartment },
      { command: 'SetPhone', value: phone.typed },
    ];
    const commands = [
      ...(isChanged ? setters : []),
      ...(key === undefined ? [] : [{ command: 'AddKey', value: key }]),
      ...(state === 'active' ? [] : [{ command: state === 'disabled' ? 'Disable' : 'Delete' }]),
    ];
    let expectedRevision = '1';
    for (const command of commands) {
      const reply = await executeUserCommand(service, id, { ...command, expectedRevision }, options);
      assert.equal(reply.status, 200, reply.text);
      expectedRevision = reply.json.revision;
    }
    return { id, name, email, apartment, phone, locationId, state, keys: key === undefined ? [] : [key] };
  }

  test('[residents.07, residents.11] lists and exports equal those of an oracle that reads every text', async () => {
    const drawn = fc.tuple(...Array.from({ length: residentCount }, (_, at) => anyResident(at)));
    let foundSome = 0;
    await fc.assert(
      fc.asyncProperty(drawn, fc.infiniteStream(fc.nat()), async (residents, seeds) => {
        const bankId = nextBankId();
        const bankKid = `sund-B${bankId}`;
        await createBankOfResidents(service, bankId, []);
        // Key numbers are the tenant's.
        const model: ModelResident[] = [];
        for (const [at, { key, ...rest }] of residents.entries())
          model.push(await create(bankId, 1001 + at, { ...rest, key: key === undefined ? key : `${key}${bankId}` }));
        const questions = fc.sample(anyQuestion(bankKid), { seed: seeds.next().value ?? 0, numRuns: 60 });
        for (const question of questions) {
          const { location, ...plain } = question;
          const all = {
            ...plain,
            ...(location === undefined ? {} : { locationKid: `${bankKid}-L${location}` }),
          };
          const query = new URLSearchParams(Object.entries(all).map(([name, value]) => [name, String(value)]));
          const { status, json, text } = await service.call('GET', `${usersPath(bankId)}?${String(query)}`, manager);
          assert.equal(status, 200, text);
          const ids = json.items.map(({ kid }: { kid: string }) => Number(kid.split('-R')[1]));
          const expected = listModel(model, question, bankKid);
          assert.deepEqual({ ids, hasMore: json.hasMore }, expected, String(query));
          foundSome += ids.length > 0 && question.filter.trim() !== '' ? 1 : 0;
          query.delete('offset');
          query.delete('limit');
          const exported = await service.call('GET', `${usersPath(bankId)}/export.csv?${String(query)}`, manager);
          const everything = listModel(model, { ...question, offset: 0, limit: Infinity }, bankKid);
          assert.deepEqual(
            readCsvTable(exported.bytes).map(({ kid = '' }) => Number(kid.split('-R')[1])),
            everything.ids,
            String(query),
          );
        }
      }),
      { numRuns: 4 },
    );
    assert.ok(foundSome > 30, `only ${foundSome} searches found somebody`);
  });
});
