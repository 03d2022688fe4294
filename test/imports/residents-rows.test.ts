// Residents in an import: found, created, changed, deactivated and taken back by the rules of the operations, and read
// for an export.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditContext } from '../../src/features/audit/rules/audit-context.ts';
import type { ImportTarget, RowValues } from '../../src/features/import-kinds/import-kind.ts';
import { residentsKind } from '../../src/features/import-kinds/residents/residents.ts';
import { insertKey } from '../../src/features/resident-administration/queries/write-resident.ts';
import { maxKeys } from '../../src/features/resident-administration/rules/allowed-commands.ts';
import { builtInTenants } from '../../src/tenants.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from '../support/account-reads.ts';
import { assertSoundAudit, recordAudit } from '../support/audit.ts';
import { insertBooking } from '../support/bookings.ts';
import { grantBank } from '../support/granted-banks.ts';
import { createUser, executeUserCommand } from '../support/resident-calls.ts';
import { residentFieldNames, residentFields } from '../../src/features/residents/fields.ts';
import { createBankOfResidents, residentTables, type ResidentDraft } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows, type TableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';
import { KindSteps } from './support/kind-steps.ts';

const tenant = builtInTenants.find(({ name }) => name === 'sund')!;

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId }) => {
  const actor = (): AuditContext => ({
    kind: 'manager',
    id: manager.managerId,
    operation: 'ApplyImport',
    address: null,
    requestId: null,
    environment: 'production',
    now: testNow,
    readClock: () => testNow,
  });

  async function createBank(residents: readonly ResidentDraft[] = []) {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, residents);
    const target = { tenant, bank: grantBank(bankId), now: testNow } as ImportTarget;
    const database = service.dependencies.databases.forTenant('sund');
    const steps = new KindSteps(residentsKind, { database, target, actor: actor() });
    const kid = (residentId: number): string => `sund-B${bankId}-R${residentId}`;
    return { bankId, steps, kid, bankKid: `sund-B${bankId}` };
  }
  const addTag = (bankId: number, residentId: number, number: string, kind: 'Tag' | 'Card' = 'Tag'): Promise<void> =>
    service.write('sund', (db) => insertKey(db, grantBank(bankId), residentId, { kind, number }, 1));

  /** Rows without what names the bank, and without secrets. */
  async function readComparable(bankId: number): Promise<TableRows> {
    const { resident_activations: activations = [], ...rows } = await service.read('sund', (db) =>
      readTableRows(db, residentTables, bankId),
    );
    const plain = Object.entries(rows).map(([table, lines]) => [
      table,
      lines.map((line) => line.replaceAll(String(bankId), 'B')),
    ]);
    const codes = activations.map((line) => line.replace(/[\dA-Z]{4}(?:-[\dA-Z]{4}){3}/, 'code'));
    return { ...Object.fromEntries(plain), codes: codes.map((line) => line.replace(String(bankId), 'B')) };
  }
  const tagOf = (bankId: number, number: number): string => `A${bankId}F${number}`;

  const created = (bankId: number) => ({
    name: 'Åse Example',
    email: 'Ase.Example@example.org',
    phone: '12 34 56 78',
    language: 'sv',
    apartment: '2. tv',
    location: `sund-B${bankId}-L2`,
    tags: `${tagOf(bankId, 2)} ${tagOf(bankId, 1)}`,
  });

  test('[imports.20] new residents are stored, recorded and queued exactly as CreateBankUser does it', async () => {
    const [one, other] = [await createBank([{}]), await createBank([{}])];
    const { location, tags, ...fields } = created(other.bankId);
    const byOperation = await recordAudit(service, async () => {
      const keys = tags.split(' ').toSorted();
      for (const user of [
        { ...fields, locationKid: location, keys },
        { name: 'Second', language: 'da' },
      ]) {
        const reply = await createUser(service, user, { bankId: other.bankId, token: manager.token });
        assert.equal(reply.status, 201, reply.text);
      }
    });
    const rows = one.steps.parse([created(one.bankId), { name: 'Second' }]);
    const byImport = await recordAudit(service, () => one.steps.apply(rows));
    assert.deepEqual(
      byImport.result.map(({ applied }) => applied),
      [
        { objectKid: one.kid(1002), revision: '1' },
        { objectKid: one.kid(1003), revision: '1' },
      ],
    );
    assert.deepEqual(await readComparable(one.bankId), await readComparable(other.bankId));
    const entriesOf = ({ entries }: typeof byOperation, bankId: number) =>
      entries.map(({ sequence, at, actor_kind, actor_id, object, old_values, new_values }) => ({
        sequence,
        at,
        actor_kind,
        actor_id,
        object: object.replace(String(bankId), 'B'),
        values: [old_values, new_values?.replace(String(bankId), 'B')],
      }));
    assert.deepEqual(entriesOf({ ...byImport, result: undefined }, one.bankId), entriesOf(byOperation, other.bankId));
    await assertSoundAudit(service);
  });

  test('[imports.21] changes are stored, recorded and queued exactly as the commands do it, and only changed fields are', async () => {
    const drafts: ResidentDraft[] = [
      { name: 'Ada', email: 'ada@example.org', phone: '12345678', phone_number: '+4512345678' },
      {},
    ];
    const [one, other] = [await createBank(drafts), await createBank(drafts)];
    for (const { bankId } of [one, other]) {
      await addTag(bankId, 1001, tagOf(bankId, 1));
      await addTag(bankId, 1001, tagOf(bankId, 2));
      await addTag(bankId, 1001, tagOf(bankId, 3), 'Card');
    }
    const wanted = { ...created(other.bankId), phone: '87 65 43 21', tags: '', state: 'disabled' };
    const tag = (number: number): string => tagOf(other.bankId, number);
    const commands: readonly (readonly [command: string, value?: string])[] = [
      ...residentFieldNames.map((name) => [residentFields[name].command, wanted[name]] as const),
      ['SetLocation', wanted.location],
      ['RemoveKey', tag(1)],
      ['AddKey', tag(4)],
      ['Disable'],
    ];
    for (const [at, [command, value]] of commands.entries()) {
      const input = { command, expectedRevision: String(1 + at), ...(value === undefined ? {} : { value }) };
      const reply = await executeUserCommand(service, 1001, input, { bankId: other.bankId, token: manager.token });
      assert.equal(reply.status, 200, reply.text);
    }
    const own = created(one.bankId);
    const rows = one.steps.parse([
      {
        ...own,
        kid: one.kid(1001),
        phone: wanted.phone,
        tags: `${tagOf(one.bankId, 4)} ${tagOf(one.bankId, 2)}`,
        state: 'disabled',
      },
      { kid: one.kid(1002), name: 'Resident 1002' },
    ]);
    const steps = await one.steps.apply(rows);
    assert.deepEqual(
      steps.map(({ applied }) => applied),
      [
        { objectKid: one.kid(1001), revision: '10' },
        { objectKid: one.kid(1002), revision: '1' },
      ],
    );
    assert.deepEqual(await readComparable(one.bankId), await readComparable(other.bankId));
    await assertSoundAudit(service);
  });

  test('a new resident can be disabled at once, which is a command of its own', async () => {
    const { steps, kid, bankId } = await createBank();
    const [applied] = await steps.apply(steps.parse([{ name: 'Ada', state: 'disabled' }]));
    assert.deepEqual(applied?.applied, { objectKid: kid(1001), revision: '2' });
    const history = await service.read('sund', (db) =>
      db.selectFrom('resident_history').select('command').where('bank_id', '=', bankId).orderBy('revision').execute(),
    );
    assert.deepEqual(
      history.map(({ command }) => command),
      ['Create', 'Disable'],
    );
  });

  test('the same number is no other phone, however it is typed', async () => {
    const { steps, kid } = await createBank([
      { phone: '12 34 56 78', phone_number: '+4512345678' },
      { phone: '12', phone_number: null },
    ]);
    const rows = steps.parse([
      { kid: kid(1001), phone: '+45 12345678' },
      { kid: kid(1001), phone: '+45 12345679' },
      { kid: kid(1002), phone: '+45 12345678' },
    ]);
    const phones = (await steps.find(rows)).map(({ current }) => current?.values['phone']);
    assert.deepEqual(phones, ['+45 12345678', '12 34 56 78', '12']);
  });

  test('[imports.22] what others have is taken, in the bank and for tags in the tenant; an expired identity keeps no address', async () => {
    const { steps, kid, bankId } = await createBank([
      { email: 'Ada@example.org' },
      { email: 'gone@example.org', expired_at: testNow - 1 },
      { email: 'deleted@example.org', deleted_at: 1 },
      {},
    ]);
    const other = await createBank([{ email: 'other@example.org' }]);
    await addTag(bankId, 1001, tagOf(bankId, 1));
    await addTag(other.bankId, 1001, tagOf(bankId, 2));
    await addTag(bankId, 1004, tagOf(bankId, 3), 'Card');
    const codesOf = async (texts: RowValues & { readonly kid?: string }): Promise<string[]> => {
      const [found] = await steps.find(steps.parse([texts]));
      return found!.errors.map(({ field, code }) => `${field} ${code}`);
    };
    const name = 'New';
    assert.deepEqual(await codesOf({ name, email: 'ada@EXAMPLE.org' }), ['email taken']);
    assert.deepEqual(await codesOf({ kid: kid(1001), email: 'ada@EXAMPLE.org' }), []);
    for (const email of ['gone@example.org', 'deleted@example.org', 'other@example.org'])
      assert.deepEqual(await codesOf({ name, email }), [], email);
    for (const number of [1, 2]) assert.deepEqual(await codesOf({ name, tags: tagOf(bankId, number) }), ['tags taken']);
    assert.deepEqual(await codesOf({ kid: kid(1001), tags: tagOf(bankId, 1) }), []);
    assert.deepEqual(await codesOf({ kid: kid(1004), tags: tagOf(bankId, 3) }), ['tags taken']);
    const many = (count: number): string => Array.from({ length: count }, (_, at) => tagOf(bankId, 100 + at)).join(' ');
    assert.deepEqual(await codesOf({ name, tags: many(maxKeys) }), []);
    assert.deepEqual(await codesOf({ name, tags: many(maxKeys + 1) }), ['tags too-many-keys']);
    assert.deepEqual(await codesOf({ kid: kid(1004), tags: many(maxKeys) }), ['tags too-many-keys']);
    // Created with the address of somebody whose identity has expired.
    await steps.apply(steps.parse([{ name, email: 'gone@example.org' }]));
  });

  test('[imports.22] a location must be one of the bank that is not deleted', async () => {
    const { steps, bankId, bankKid } = await createBank();
    await service.write('sund', (db) =>
      db
        .updateTable('locations')
        .set({ deleted_at: 1 })
        .where('bank_id', '=', bankId)
        .where('location_id', '=', 2)
        .execute(),
    );
    const places = [`${bankKid}-L1`, '', `${bankKid}-L2`, `${bankKid}-L9`, 'sund-B1-L1', bankKid];
    const found = await steps.find(steps.parse(places.map((location) => ({ name: 'Ada', location }))));
    assert.deepEqual(
      found.map(({ errors }) => errors.map(({ field, code }) => `${field} ${code}`).join()),
      ['', '', ...Array.from({ length: 4 }, () => 'location unknown-reference')],
    );
  });

  test('[imports.22] a deleted resident is refused, and one whose identity has expired or of another bank is nobody', async () => {
    const { steps, kid } = await createBank([{ deleted_at: 1 }, { expired_at: testNow }, { expired_at: testNow + 1 }]);
    const other = await createBank([{}]);
    const rows = steps.parse([1001, 1002, 1003, 1009].map((id) => ({ kid: kid(id), name: 'Ada' })));
    const [foreign] = steps.parse([{ kid: other.kid(1001), name: 'Ada' }]);
    const found = await steps.find([...rows, foreign!]);
    assert.deepEqual(
      found.map(({ current, errors }) => [current?.values['name'] ?? null, errors.map(({ code }) => code).join()]),
      [
        [null, 'deleted'],
        [null, ''],
        ['Resident 1003', ''],
        [null, ''],
        [null, ''],
      ],
    );
  });

  test('[imports.22] a bank without ids left takes as many as it has', async () => {
    const { steps } = await createBank([{ resident_id: 99_998 }]);
    const rows = steps.parse([{ name: 'Last' }, { name: 'One too many' }]);
    const found = await steps.find(rows);
    assert.deepEqual(
      found.map(({ errors }) => errors.map(({ code }) => code).join()),
      ['', 'bank-full'],
    );
    await assert.rejects(steps.apply(rows), /no id left/);
    await steps.apply(rows.slice(0, 1));
  });

  test('claims are what only one row can have, and only what the row changes', async () => {
    const { steps, kid, bankId } = await createBank([{ email: 'ada@example.org' }]);
    await addTag(bankId, 1001, tagOf(bankId, 1));
    const tags = `${tagOf(bankId, 1)} ${tagOf(bankId, 2)}`;
    const found = await steps.find(
      steps.parse([
        { kid: kid(1001), email: 'ada@example.org', tags },
        { name: 'New', email: 'New@Example.org', tags: tagOf(bankId, 3) },
      ]),
    );
    assert.deepEqual(
      found.map(({ claims }) => claims),
      [[`tags:${tagOf(bankId, 2)}`], ['email:new@example.org', `tags:${tagOf(bankId, 3)}`]],
    );
  });

  test('[imports.23] undo restores every field, deletes new residents, and frees what they had', async () => {
    const { steps, kid, bankId } = await createBank([{ email: 'ada@example.org', phone: '12345678' }, {}]);
    await addTag(bankId, 1001, tagOf(bankId, 1));
    await addTag(bankId, 1001, tagOf(bankId, 9), 'Card');
    const before = await steps.export();
    const changed = await steps.apply(
      steps.parse([{ ...created(bankId), kid: kid(1001), tags: tagOf(bankId, 2), state: 'disabled' }]),
    );
    // Has what the first row has given up.
    const made = await steps.apply(
      steps.parse([
        { name: 'New', email: 'ada@example.org', tags: tagOf(bankId, 1) },
        { name: 'Disabled', state: 'disabled' },
      ]),
    );
    const missing = await steps.apply(steps.parse([{ kid: kid(1002) }]), true);
    assert.deepEqual(missing[0]?.applied, { objectKid: kid(1002), revision: '2' });
    const undone = await steps.undo([...changed, ...made, ...missing]);
    assert.deepEqual(
      undone.map((each) => ('errors' in each ? each.errors : each.revision)),
      ['3', null, null, String(1 + 2 * 9)],
    );
    assert.deepEqual(await steps.export(), before);
    const states = await service.read('sund', (db) =>
      db
        .selectFrom('residents')
        .select(['resident_id', 'deleted_at', 'email_key'])
        .where('bank_id', '=', bankId)
        .execute(),
    );
    assert.deepEqual(
      states
        .filter(({ deleted_at }) => deleted_at !== null)
        .map(({ resident_id, email_key }) => [resident_id, email_key]),
      [
        [1003, null],
        [1004, null],
      ],
    );
    await assertSoundAudit(service);
  });

  test('[imports.23] undo keeps new residents with postings or bookings, and changes that others stand in the way of', async () => {
    const { steps, kid, bankId } = await createBank([{ email: 'ada@example.org' }]);
    const changed = await steps.apply(steps.parse([{ kid: kid(1001), email: 'new@example.org' }]));
    const made = await steps.apply(steps.parse([{ name: 'Posted' }, { name: 'Booked' }, { name: 'Unused' }]));
    await service.write('sund', (db) =>
      lockAndAppendPostings(db, grantBank(bankId), [postingDraft(testNow, { residentId: 1002 })]),
    );
    await insertBooking(service, { residentId: 1003 }, bankId);
    await steps.apply(steps.parse([{ name: 'Taker', email: 'ada@example.org' }]));
    const undone = await steps.undo([...changed, ...made]);
    assert.deepEqual(
      undone.map((each) => ('errors' in each ? each.errors.map(({ field, code }) => `${field} ${code}`) : [])),
      [[], [' in-use'], [' in-use'], ['email taken']],
    );
    const exported = await steps.export();
    assert.deepEqual(
      exported.map(({ values }) => values['name']),
      ['Resident 1001', 'Posted', 'Booked', 'Taker'],
    );
  });

  test('many new residents cost as many statements as one, and a change one for each', async () => {
    const { steps, kid, bankId } = await createBank();
    const rows = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => ({
        name: `Many ${from + at}`,
        email: `many${from + at}@example.org`,
        tags: tagOf(bankId, 1000 + from + at),
      }));
    // The first entry of the bank also begins the chain of its audit log.
    await steps.apply(steps.parse(rows(1)));
    const counts: number[] = [];
    for (const [count, from] of [
      [1, 1],
      [50, 2],
    ] as const) {
      await steps.apply(steps.parse(rows(count, from)));
      counts.push(steps.statements);
    }
    const changes = (count: number, apartment: string) =>
      steps.parse(Array.from({ length: count }, (_, at) => ({ kid: kid(1001 + at), apartment })));
    for (const count of [1, 52]) {
      await steps.apply(changes(count, `${count}`));
      counts.push(steps.statements);
    }
    const [one = 0, many = 0, oneChange = 0, manyChanges = 0] = counts;
    assert.ok(one > 5 && oneChange > 5, counts.join());
    assert.equal(many, one, counts.join());
    assert.equal(manyChanges, oneChange + 51);
  });

  test('[imports.24] an export has every resident once, who is neither deleted nor expired, and reads back without a change', async () => {
    const drafts = Array.from({ length: 2105 }, (_, at): ResidentDraft => ({ email: `r${at}@example.org` }));
    const { steps, bankId, kid } = await createBank([
      { deleted_at: 1 },
      { expired_at: testNow },
      { location_id: null, enabled: 0 },
      ...drafts,
    ]);
    for (const number of [5, 3]) await addTag(bankId, 1003, tagOf(bankId, number));
    await addTag(bankId, 1003, tagOf(bankId, 4), 'Card');
    const exported = await steps.export();
    assert.equal(exported.length, 2106);
    assert.deepEqual(exported[0], {
      objectKid: kid(1003),
      values: {
        name: 'Resident 1003',
        email: '',
        phone: '',
        language: 'en',
        apartment: '',
        location: '',
        tags: `${tagOf(bankId, 3)} ${tagOf(bankId, 5)}`,
        state: 'disabled',
        movedOut: '',
      },
    });
    assert.deepEqual(
      exported.map(({ objectKid }) => objectKid),
      Array.from({ length: 2106 }, (_, at) => kid(1003 + at)),
    );
    const found = await steps.find(
      steps.parse(exported.map(({ objectKid, values }) => ({ ...values, kid: objectKid }))),
    );
    assert.deepEqual(
      found.map(({ current }) => current?.values),
      exported.map(({ values }) => values),
    );
  });
});
