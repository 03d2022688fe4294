// Imports of installers through HTTP: what is created, changed, disabled and taken back, and who may.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { recordAudit } from '../support/audit.ts';
import { insertTestBank } from '../support/factories.ts';
import { applyPlan, csvOf, listRows, planFile, sendFile, undoApplied } from '../support/imports.ts';
import { insertTestInstaller, installersPath, setInstallerIcon } from '../support/installers.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

const header = ['key', 'name', 'email', 'phone', 'organisation', 'state', 'tags', 'locations', 'icon'];
const ada = [
  'i1',
  'Ada Example',
  'ada@example.org',
  '20304050',
  'Example Service',
  '',
  '"Locks; laundry"',
  'sund-B1001-L2 sund-B1001-L1',
  '',
];
const bob = ['i2', 'Bob Example', '', '', '', 'invited', '', '', 'person_engineer'];

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  before(() => service.write('sund', (db) => insertTestBank(db)));
  const plan = (rows: readonly (readonly string[])[], query = {}) =>
    planFile(service, csvOf(header, ...rows), { ...manager, kind: 'installers', query });
  const apply = async (rows: readonly (readonly string[])[], query = {}) =>
    applyPlan(service, await plan(rows, query), manager);
  const list = async (filter: string) =>
    (await service.call('GET', `${installersPath}?filter=${filter}`, manager)).json.items;
  const keyed = (prefix: string, ...rows: (readonly string[])[]): string[][] =>
    rows.map((row) => [`${prefix}-${row[0]}`, `${row[1]} ${prefix}`, ...row.slice(2)]);

  test('[people.01] installers are created with tags and locations, are unchanged by the same file, and are changed by another', async () => {
    const rows = keyed('one', ada, bob);
    const { result: applied, entries } = await recordAudit(service, () => apply(rows));
    assert.equal(applied.outcomes.applied, 2, JSON.stringify(applied));
    const [first, second] = await list('one');
    assert.deepEqual(
      [first.name, first.email, first.state, first.tags, first.locations.map(({ kid }: { kid: string }) => kid)],
      ['Ada Example one', 'ada@example.org', 'active', ['laundry', 'Locks'], ['sund-B1001-L1', 'sund-B1001-L2']],
    );
    assert.deepEqual([second.state, second.iconKid], ['invited', 'person_engineer']);
    const created = entries.filter(({ object }) => object === first.kid);
    assert.deepEqual(
      created.map(({ operation }) => operation),
      ['ApplyImport'],
    );
    assert.ok(!created[0]!.new_values?.includes('ada@'));
    assert.deepEqual((await plan(rows)).counts, { create: 0, update: 0, unchanged: 2, missing: 0, refused: 0 });
    const changed = await apply([rows[0]!.with(6, 'Meters').with(7, '').with(3, '')]);
    assert.equal(changed.outcomes.applied, 1);
    const [after] = await list('one');
    assert.deepEqual([after.tags, after.locations, after.name], [['Meters'], [], 'Ada Example one']);
    assert.equal((await list('20304050')).length, 0);
  });

  test('[people.02] undo deletes new installers, restores changed ones, and keeps whoever was changed or active since', async () => {
    const rows = keyed('two', ada, bob);
    await apply(rows.slice(0, 1));
    const cat = keyed('two', ['i3', 'Cat Example', '', '', '', '', '', '', ''])[0]!;
    const applied = await apply([rows[0]!.with(4, 'Other'), rows[1]!, cat]);
    const [, , touched] = await list('two');
    assert.equal(touched.name, 'Cat Example two');
    const id = Number(String(touched.kid).replace('sund-I', ''));
    assert.equal((await setInstallerIcon(service, id, 'person_star', manager)).status, 200);
    const undone = await undoApplied(service, applied, manager);
    assert.deepEqual([undone.outcomes.undone, undone.outcomes.kept], [2, 1], JSON.stringify(undone));
    const left = await list('two');
    assert.deepEqual(
      left.map(({ name }: { name: string }) => name),
      ['Ada Example two', 'Cat Example two'],
    );
    const detail = await service.call('GET', `${installersPath}/${left[0].kid}`, manager);
    assert.equal(detail.json.organisation, 'Example Service');
    const active = await apply(keyed('act', bob));
    await service.write('sund', (db) =>
      db.updateTable('installers').set({ last_activity_at: testNow }).where('name', '=', 'Bob Example act').execute(),
    );
    const kept = await undoApplied(service, active, manager);
    assert.equal(kept.outcomes.kept, 1);
    assert.equal((await listRows(service, active.kid, manager))[0].errors[0].code, 'in-use');
  });

  test('[people.03] a wrong field, or a location that does not exist, refuses the row', async () => {
    const planned = await plan([
      ['a', '', '', '', '', '', '', '', ''],
      ['b', 'B', 'no address', '', '', '', '', '', ''],
      ['c', 'C', '', 'x'.repeat(33), '', '', '', '', ''],
      ['d', 'D', '', '', '', 'gone', '', '', ''],
      ['e', 'E', '', '', '', '', '', 'sund-B1001', ''],
      ['f', 'F', '', '', '', '', '', 'sund-B1001-L99', ''],
      ['g', 'G', '', '', '', '', '', 'fjord-B1001-L1', ''],
      ['h', 'H', '', '', '', '', '', '', 'no_icon'],
    ]);
    assert.deepEqual(
      (await listRows(service, planned.kid, manager)).map(
        ({ key, errors }) => `${key} ${errors[0].field} ${errors[0].code}`,
      ),
      [
        'a name required',
        'b email invalid',
        'c phone too-long',
        'd state invalid',
        'e locations invalid',
        'f locations unknown-reference',
        'g locations invalid',
        'h icon invalid',
      ],
    );
  });

  test('locations are named by keys of their bank, or by KIDs; an export names them by keys, and leaves out deleted ones', async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 7001, places: { 1: [], 2: [], 3: [] } });
      await insertTestBank(db, { bankId: 7002, places: { 1: [] } });
      const key = { kind: 'locations', source: 'portal' };
      for (const [bank_id, source_key, object_kid] of [
        [7001, 'house 1', 'sund-B7001-L1'],
        [7002, 'house 1', 'sund-B7002-L1'],
        [7001, 'fjord-B9-L9', 'sund-B7001-L2'],
      ] as const)
        await db
          .insertInto('import_keys')
          .values({ ...key, bank_id, source_key, object_kid })
          .execute();
    });
    const row = (id: string, locations: string): string[] => [id, `Named-${id}`, '', '', '', '', '', locations, ''];
    const rows = [row('n1', 'sund-B7001/house%201 fjord-B9-L9 sund-B7001-L3'), row('n2', 'sund-B7002/house%201')];
    await apply(rows);
    const kidsOf = async (name: string): Promise<string[]> =>
      (await list(name))[0].locations.map(({ kid }: { kid: string }) => kid);
    assert.deepEqual(await kidsOf('Named-n1'), ['sund-B7001-L1', 'sund-B7001-L2', 'sund-B7001-L3']);
    assert.deepEqual(await kidsOf('Named-n2'), ['sund-B7002-L1']);
    const ambiguous = await plan([row('n3', 'house%201'), row('n4', 'sund-B7001/house%202')]);
    assert.equal(ambiguous.counts.refused, 2);
    const exported = async (): Promise<string> =>
      (await service.call('GET', '/api/v1/exports/installers?for=programs', manager)).text;
    assert.ok((await exported()).includes('"sund-B7001/house%201 fjord-B9-L9 sund-B7001-L3"'), await exported());
    assert.equal((await plan(rows)).counts.unchanged, 2);
    await service.write('sund', (db) =>
      db
        .updateTable('locations')
        .set({ deleted_at: 1 })
        .where('bank_id', '=', 7001)
        .where('location_id', '=', 3)
        .execute(),
    );
    assert.ok((await exported()).includes('"sund-B7001/house%201 fjord-B9-L9"'), await exported());
    const again = await plan([row('n1', 'sund-B7001/house%201 fjord-B9-L9')]);
    assert.equal(again.counts.unchanged, 1);
  });

  test('whoever a full file lacks is disabled, if they were active; an export is read again as it is', async () => {
    const rows = [...keyed('full', ada), ...keyed('full', bob)];
    const own = { profile: 'people-system' };
    const document = {
      name: 'people-system',
      kind: 'installers',
      format: 'csv',
      separator: ';',
      header: true,
      columns: header.map((field) => ({ field, from: field })),
    };
    const stored = await service.call('PUT', '/api/v1/import-profiles/people-system', {
      ...manager,
      body: { document },
    });
    assert.equal(stored.status, 200, stored.text);
    await apply(rows, own);
    const one = keyed('full', ['i9', 'Eve Example', '', '', '', '', '', '', '']);
    const planned = await plan(one, { ...own, missing: 'deactivate' });
    assert.equal(planned.counts.missing, 1);
    await applyPlan(service, planned, manager, { expectedMissing: 1 });
    const states = (await list('full')).map(({ name, state }: { name: string; state: string }) => `${name} ${state}`);
    assert.deepEqual(states, ['Ada Example full disabled', 'Bob Example full invited', 'Eve Example full active']);
    const exported = await service.call('GET', '/api/v1/exports/installers?for=programs', manager);
    const again = await planFile(service, exported.text, { ...manager, kind: 'installers' });
    assert.deepEqual([again.counts.create, again.counts.refused], [0, 0], exported.text);
    assert.ok(again.counts.unchanged > 0);
  });

  test('[people.04] an import of installers needs the whole tenant, and the rights to read, change and create them', async () => {
    await service.write('sund', (db) => insertTestInstaller(db, { installerId: 900 }));
    const file = csvOf(header, ada);
    const narrow = { token: await issueToken({ grants: [{ bankId: 1001, locationId: 0 }] }) };
    const reader = { token: await issueToken({ permissions: ['Bank.Read', 'Installer.Read', 'Installer.Write'] }) };
    for (const [options, status] of [
      [narrow, 403],
      [reader, 403],
      [{}, 401],
    ] as const)
      assert.equal((await sendFile(service, file, { ...options, kind: 'installers' })).status, status);
    const ofBank = await sendFile(service, file, { ...manager, kind: 'installers', bankId: 1001 });
    assert.equal(ofBank.json.errors[0].path, 'query.bankKid');
    const reply = await callWithoutStorage(
      service,
      () => sendFile(service, file, { ...manager, kind: 'installers' }),
      'import_heads',
    );
    assert.equal(reply.status, 503, reply.text);
  });
});
