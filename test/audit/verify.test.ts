// `verify audit`: a log that only the service has written is sound, and every kind of damage is reported by chain and
// number.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { WriteDb } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { appendAudit } from '../../src/features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { computeAuditLink } from '../../src/features/audit/rules/hash-chain.ts';
import { verifyAudit, type VerifyAuditInput } from '../../src/features/audit/commands/verify-audit.ts';
import { runPortal } from '../support/portal-process.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { lockAuditsOf } from '../support/audit.ts';

const bankChain = 1001;
const entriesPerChain = 6;

type Entry = Tables['audit_entries'];

serviceSuite({ manager: false }, ({ engine, service, storage, onStop }) => {
  before(() =>
    service.write('sund', async (db) => {
      await lockAuditsOf(db, bankChain, 1002);
      for (let at = 1; at <= entriesPerChain; at += 1)
        for (const bankId of [undefined, bankChain, 1002])
          await appendAudit(
            db,
            createOperatorAuditContext('test', () => at),
            {
              object: 'sund',
              ...(bankId === undefined ? {} : { bankId }),
              before: { value: 'old' },
              after: { value: 'new' },
            },
          );
    }),
  );

  /** Plants damage, returns what is found, and undoes the damage. */
  async function findPlanted(
    plant: (db: WriteDb) => Promise<unknown>,
    { batchSize, recordedHeads = new Map() }: VerifyAuditInput = {},
  ): Promise<string[]> {
    let found: string[] = [];
    const writing = service.write('sund', async (db) => {
      await plant(db);
      found = (await verifyAudit(db, { ...(batchSize === undefined ? {} : { batchSize }), recordedHeads })).flatMap(
        ({ chain, differences }) =>
          differences.map(
            ({ kind, entries, count }) => `${chain}: ${kind} ${entries}${count === 1 ? '' : ` of ${count}`}`,
          ),
      );
      throw new Error('taken back');
    });
    await assert.rejects(writing, /taken back/);
    return found;
  }

  const ofBank = (sequence: number) => ({ chain: bankChain, sequence });
  const edit =
    (sequence: number, change: Partial<Entry>) =>
    (db: WriteDb): Promise<unknown> =>
      db
        .updateTable('audit_entries')
        .set(change)
        .where('chain', '=', bankChain)
        .where('sequence', '=', sequence)
        .execute();
  const remove =
    (...sequences: number[]) =>
    (db: WriteDb): Promise<unknown> =>
      db.deleteFrom('audit_entries').where('chain', '=', bankChain).where('sequence', 'in', sequences).execute();
  const get = (db: WriteDb, sequence: number): Promise<Entry> =>
    db
      .selectFrom('audit_entries')
      .selectAll()
      .where('chain', '=', bankChain)
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow();
  /** Inserts an entry with a correct link, as an informed attacker would. */
  const insertCopy =
    (sequence: number) =>
    async (db: WriteDb): Promise<unknown> => {
      const { link: last, ...copied } = await get(db, entriesPerChain);
      const entry = { ...copied, ...ofBank(sequence) };
      return db
        .insertInto('audit_entries')
        .values({ ...entry, link: computeAuditLink(last, entry) })
        .execute();
    };
  const editHead =
    (change: { readonly sequence?: number; readonly link?: string }) =>
    (db: WriteDb): Promise<unknown> =>
      db.updateTable('audit_heads').set(change).where('chain', '=', bankChain).execute();

  const edits: Readonly<Record<string, Partial<Entry>>> = {
    time: { at: 99 },
    actor: { actor_kind: 'manager', actor_id: 1001 },
    'id of the actor': { actor_id: 1001 },
    address: { address: '192.0.2.9' },
    operation: { operation: 'other' },
    object: { object: 'sund-B1' },
    'values before': { old_values: '{"value":"OLD"}' },
    'values after': { new_values: null },
    request: { request_id: '' },
    environment: { environment: 'beta' },
  };
  for (const [name, change] of Object.entries(edits))
    test(`an edited ${name} is found`, async () => {
      assert.deepEqual(await findPlanted(edit(3, change)), ['1001: edited 3']);
    });

  const damages: Readonly<Record<string, readonly [plant: (db: WriteDb) => Promise<unknown>, found: string[]]>> = {
    'nothing of a sound log': [async () => {}, []],
    'the first entry, edited': [edit(1, { at: 99 }), ['1001: edited 1']],
    'the last entry, edited': [edit(6, { at: 99 }), ['1001: edited 6']],
    'an edited link': [edit(3, { link: 'x' }), ['1001: edited 3 of 2']],
    'the last link, edited': [edit(6, { link: 'x' }), ['1001: edited 6', '1001: head 6']],
    'a deleted entry': [remove(3), ['1001: missing 3']],
    'the first entry, deleted': [remove(1), ['1001: missing 1']],
    'the last entry, deleted': [remove(6), ['1001: missing 6']],
    'several deleted entries': [remove(2, 3, 5), ['1001: missing 2 to 3 of 2']],
    'all entries, deleted': [remove(1, 2, 3, 4, 5, 6), ['1001: missing 1 to 6']],
    'an entry inserted behind the last': [insertCopy(7), ['1001: inserted 7']],
    'an entry inserted before the first': [insertCopy(0), ['1001: inserted 0']],
    'an entry inserted in the place of a deleted one': [
      async (db) => {
        await remove(3)(db);
        await insertCopy(3)(db);
      },
      ['1001: edited 3 of 2'],
    ],
    'a chain that nobody has begun': [
      (db) => db.updateTable('audit_entries').set({ chain: 7 }).where('chain', '=', 1002).execute(),
      ['7: edited 1 of 6', '7: head none', '1002: missing 1 to 6'],
    ],
    'a head that is behind': [editHead({ sequence: 5 }), ['1001: inserted 6']],
    'a head that is ahead': [editHead({ sequence: 8 }), ['1001: missing 7 to 8']],
    'a head with another link': [editHead({ link: 'x' }), ['1001: head 6']],
    'a deleted head': [
      (db) => db.deleteFrom('audit_heads').where('chain', '=', bankChain).execute(),
      ['1001: head none'],
    ],
  };
  for (const [name, [plant, found]] of Object.entries(damages))
    test(`found: ${name}, however large the batches are`, async () => {
      for (const options of [{}, { batchSize: 1 }, { batchSize: 4 }])
        assert.deepEqual(await findPlanted(plant, options), found);
    });

  /** Recomputes the chain from an entry on, with its head, as an informed attacker would. */
  const rewrite =
    (from: number, change: Partial<Entry>) =>
    async (db: WriteDb): Promise<unknown> => {
      let { link } = await get(db, from - 1);
      for (let sequence = from; sequence <= entriesPerChain; sequence += 1) {
        const { link: _link, ...copied } = await get(db, sequence);
        const entry = { ...copied, ...(sequence === from ? change : {}) };
        link = computeAuditLink(link, entry);
        await edit(sequence, { ...entry, link })(db);
      }
      return editHead({ link })(db);
    };
  const cutTail = async (db: WriteDb): Promise<unknown> => {
    await remove(5, 6)(db);
    return editHead({ sequence: 4, link: (await get(db, 4)).link })(db);
  };
  const removeChain = async (db: WriteDb): Promise<unknown> => {
    await db.deleteFrom('audit_entries').where('chain', '=', bankChain).execute();
    return db.deleteFrom('audit_heads').where('chain', '=', bankChain).execute();
  };
  const replacements: Readonly<Record<string, readonly [plant: (db: WriteDb) => Promise<unknown>, found: string[]]>> = {
    'nothing of a log that was only appended to': [async () => {}, []],
    'a tail that was cut off, with its head': [cutTail, ['1001: shortened 5 to 6']],
    'a tail that was computed anew, with its head': [rewrite(5, { at: 99 }), ['1001: replaced 6']],
    'a chain that was deleted with its head': [removeChain, ['1001: shortened 1 to 6', '1001: head none']],
  };
  for (const [name, [plant, found]] of Object.entries(replacements))
    test(`found only with earlier heads: ${name}`, async () => {
      const heads = await service.read('sund', (db) => verifyAudit(db));
      const recordedHeads = new Map(heads.map(({ chain, last }) => [chain, last!]));
      assert.deepEqual(await findPlanted(plant, { recordedHeads }), found);
      assert.deepEqual(await findPlanted(plant), []);
    });

  const verify = async (...args: string[]): Promise<[code: number | null, out: string[], err: string]> => {
    const { code, stdout, stderr } = await runPortal(['verify', 'audit', ...args], {
      PORTAL_STORAGE: storage.storageUrl,
    });
    return [code, stdout.trim().split('\n'), stderr];
  };

  const verdicts = (out: readonly string[]): string[] =>
    out.map((line) => line.replace(/ \(head \d+ [\w-]{43}\)$/, ''));

  test('the command names every chain, and exits with 0 if all are sound and with 1 if one is damaged', async () => {
    const [soundCode, printed, noErr] = await verify('--tenant', 'sund');
    assert.deepEqual([soundCode, noErr], [0, '']);
    assert.deepEqual(verdicts(printed), [
      'sund: 6 audit entries: sound',
      'sund-B1001: 6 audit entries: sound',
      'sund-B1002: 6 audit entries: sound',
    ]);
    const heads = await service.read('sund', (db) =>
      db.selectFrom('audit_heads').selectAll().orderBy('chain').execute(),
    );
    for (const [at, { sequence, link }] of heads.entries())
      assert.match(String(printed[at]), new RegExp(`\\(head ${sequence} ${link}\\)$`));
    const file = join(tmpdir(), `portal-heads-${process.pid}-${engine}.txt`);
    onStop(() => rmSync(file, { force: true }));
    writeFileSync(file, printed.join('\n'));
    const withHeads = ['--tenant', 'sund', '--heads', file];
    assert.equal((await verify(...withHeads))[0], 0);
    await service.write('sund', cutTail);
    assert.equal((await verify('--tenant', 'sund'))[0], 0);
    const [cutCode, cut] = await verify(...withHeads);
    assert.equal(cutCode, 1);
    assert.deepEqual(verdicts(cut).slice(1, 3), [
      'sund-B1001: 4 audit entries: DAMAGED',
      '  audit entry 5 to 6: gone since the given head',
    ]);
    await service.write('sund', remove(2, 3));
    const [code, out, err] = await verify('--tenant', 'sund');
    assert.equal(code, 1);
    assert.deepEqual(verdicts(out).slice(1, 3), [
      'sund-B1001: 2 audit entries: DAMAGED',
      '  audit entry 2 to 3: missing',
    ]);
    assert.match(err, /1 of 3 audit chains are damaged/);
  });

  test('a file that is missing, has no heads or has an unknown tenant is refused', async () => {
    const file = join(tmpdir(), `portal-no-heads-${process.pid}-${engine}.txt`);
    onStop(() => rmSync(file, { force: true }));
    assert.match((await verify('--heads', file))[2], /could not be read: ENOENT/);
    writeFileSync(file, 'sund: no audit entries\n');
    assert.match((await verify('--heads', file))[2], /holds no heads/);
    writeFileSync(file, `gone: 1 audit entries: sound (head 1 ${'x'.repeat(43)})\n`);
    const [code, , err] = await verify('--heads', file);
    assert.match(err, /unknown tenant gone/);
    assert.notEqual(code, 0);
  });
});
