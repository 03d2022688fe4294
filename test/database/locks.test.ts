// The table of locks against the code and against both engines.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { LockableDb } from '../../src/database/db.ts';
import { lockOrder, takeLocks, type Lock } from '../../src/database/locks.ts';
import { ledgerLock } from '../../src/features/account/queries/ledger-head.ts';
import { bookingsLock } from '../../src/features/bookings/queries/booking-ids.ts';
import { outboxLock } from '../../src/features/outbox/queries/outbox.ts';
import { residentsLock } from '../../src/features/residents/queries/residents-version.ts';
import { insertTestBank } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { serviceSuite } from '../support/service-suite.ts';

const root = join(import.meta.dirname, '../..');

test('every lock of the table is created in one place, and declared or taken by a write', () => {
  const source = globSync('{demo,src/{commands,features,http}}/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const made = [...source.matchAll(/(?:const|function) (\w+Lock)\b(?:(?!\w+Lock\b)[^])*?createLock\(([^,]*),/g)];
  const makersOf = (name: string): string[] =>
    made.flatMap(([, maker = '', names = '']) => (names.includes(`'${name}'`) ? [maker] : []));
  assert.equal(made.length, source.match(/\bcreateLock\(/g)?.length);
  for (const [name] of lockOrder) {
    const makers = makersOf(name);
    assert.ok(makers.length > 0, `nothing makes the lock ${name}`);
    for (const maker of makers)
      assert.match(source, new RegExp(`(?<!function )\\b${maker}\\(`), `${maker} is not used`);
  }
});

const writers = 4;
const rounds = 10;

serviceSuite({ replicas: 2, manager: false }, ({ service, replicaFor }) => {
  const banks = [1001, 1002].map((bankId) => grantBank(bankId));
  before(() =>
    service.write('sund', async (db) => {
      for (const { bankId } of banks) await insertTestBank(db, { bankId });
    }),
  );

  const locks = (): Lock[] =>
    banks.flatMap((bank) => [
      outboxLock(bank),
      bookingsLock(bank, { bookings: 0, events: 1 }),
      ledgerLock(bank, { reservedCount: 0, now: 1000 }),
      residentsLock(bank),
    ]);

  test('writes that declare the same locks in different orders do not wait for each other in a circle', async () => {
    let runs = 0;
    const takeAll = async (db: LockableDb, declared: readonly Lock[]): Promise<void> => {
      runs += 1;
      await takeLocks(db, declared);
    };
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        Array.from({ length: writers }, (_, at) =>
          replicaFor(at).write('sund', (db) => takeAll(db, at < writers / 2 ? locks() : locks().toReversed())),
        ),
      );
    // A transaction that was rolled back to end a deadlock would have run again.
    assert.equal(runs, rounds * writers);
    const { events } = await service.read('sund', (db) =>
      db.selectFrom('booking_heads').select('events').where('bank_id', '=', 1002).executeTakeFirstOrThrow(),
    );
    assert.equal(events, runs);
  });
});
