// Whatever is wrong with a backup is found, by `backup verify` as by `restore`.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { knownMigrations } from '../../src/database/migrate.ts';
import { verifyBackup } from '../../src/features/backups/commands/verify-backup.ts';
import { CopyError } from '../../sqlite-follower/copy-error.ts';
import {
  buildBackup,
  formatTestHeader,
  keyFile,
  readContentLines,
  restoreBytes,
  streamBytes,
  writeBackupBytes,
} from '../support/backups.ts';
import { insertTestBank } from '../support/factories.ts';
import { openTestDatabase, tenant, type TestDatabase } from '../support/test-database.ts';

const verify = (bytes: Uint8Array, key?: Uint8Array) => verifyBackup(streamBytes(bytes), key);

let scratch: TestDatabase;
let plain: Buffer;
let encrypted: Buffer;
before(async () => {
  scratch = await openTestDatabase('sqlite');
  await scratch.database.write({ deadlineMs: 10_000 }, (db) => insertTestBank(db, { bankId: 1001 }));
  plain = await writeBackupBytes(scratch.database);
  encrypted = await writeBackupBytes(scratch.database, keyFile);
});
after(() => scratch.close());

const files = (): [name: string, bytes: Buffer, key: Buffer | undefined][] => [
  ['plain', plain, undefined],
  ['encrypted', encrypted, keyFile],
];

test('a backup that is whole is sound, in whatever pieces it comes', async () => {
  for (const [name, bytes, key] of files())
    for (const size of [1, 31, 4096, bytes.length]) {
      const { header, tables, rows } = await verifyBackup(streamBytes(bytes, size), key);
      assert.equal(header.tenant, tenant, name);
      assert.ok(tables > 60 && rows > 10, name);
    }
});

test('[backups.06] a changed bit is found, wherever it is', async () => {
  for (const [name, bytes, key] of files())
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        await assert.rejects(verify(damaged, key), CopyError, `${name}: bit ${bit} of byte ${at}`);
      }),
      // The first bytes, and those of the frame's header.
      { numRuns: 150, examples: Array.from({ length: 40 }, (_, at) => [at, at % 8]) },
    );
});

test('[backups.06] a missing, added or repeated part is found, wherever it is', async () => {
  for (const [name, bytes, key] of files())
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 200 }), async (at, length) => {
        const [head, part, tail] = [
          bytes.subarray(0, at),
          bytes.subarray(at, at + length),
          bytes.subarray(at + length),
        ];
        for (const wrong of [head, Buffer.concat([head, tail]), Buffer.concat([head, part, part, tail])])
          await assert.rejects(verify(wrong, key), CopyError, `${name}: ${part.length} bytes at ${at}`);
      }),
      { numRuns: 60, examples: [[bytes.length - 1, 1]] },
    );
});

test('[backups.06] a backup is read only with its own key file, and one that is not encrypted with none', async () => {
  await assert.rejects(verify(encrypted, Buffer.alloc(32, 'x')), /cannot be decrypted: the key file is another one/);
  await assert.rejects(verify(encrypted), /is encrypted: give the key file with --key-file/);
  await assert.rejects(verify(plain, keyFile), /is not encrypted/);
  assert.equal(encrypted.includes('"sund"'), false);
});

test('every error says what is wrong, and where', async () => {
  const bank = JSON.stringify({ table: 'health', columns: ['id', 'beats'], key: ['id'] });
  const trailer = (rows: Record<string, number>): string => JSON.stringify({ rows });
  const header = formatTestHeader();
  const newer = formatTestHeader({ schema: [...knownMigrations, '9999-later'] });
  const contents: [lines: string[], problem: RegExp][] = [
    [[], /is cut short after line 0 of its content/],
    [['{}'], /line 1 of its content: the header lacks a field/],
    [['{'], /line 1 of its content: it is no JSON/],
    [[newer], /is from a newer version of the service, .*: 9999-later/],
    [[formatTestHeader({ schema: knownMigrations.slice(1) })], /some before the last one are missing/],
    [[header, '[1,2]'], /line 2 of its content: a row belongs to no table/],
    [[header, bank, '[1]'], /line 3 of its content of the table health: a row has 1 values for 2 columns/],
    [[header, bank, '[1,1.5]'], /line 3 .* health: the value of beats is not one of a backup/],
    [[header, bank, '[1,{"int64":"9223372036854775808"}]'], /the value of beats is not one/],
    [[header, bank, '[1,'], /line 3 .* it is no JSON/],
    [[header, bank, bank], /line 3 .* health begins a second time/],
    [[header, bank, '[1,2]', trailer({ health: 2 })], /line 4 .* health has 1 rows, and 2 by the end/],
    [[header, bank, '[1,2]', trailer({})], /line 4 .* health has 1 rows, and none by the end/],
    [[header, bank, '[1,2]'], /is cut short after line 3 of its content/],
    [[header, bank, trailer({ health: 0 }), '[1,2]'], /line 4 .* it is after the end/],
  ];
  for (const [lines, problem] of contents) await assert.rejects(verify(await buildBackup(lines)), problem);
  for (const [prelude, problem] of [
    ['portal-backup 2 plain\n', /has version 2 of the format: this version of the service reads 1/],
    ['portal-backup 1 other\n', /is damaged in its first line/],
    ['SQLite format 3\n', /is no backup of this service/],
    ['x'.repeat(1000), /is no backup of this service/],
  ] as const)
    await assert.rejects(verify(await buildBackup([header], prelude)), problem);
  await assert.rejects(verify(Buffer.alloc(0)), /is empty/);
});

test('a backup whose tables are not those of its schema is refused', async () => {
  const [header = '', ...rest] = readContentLines(plain);
  const isTable = (line: string, table: string): boolean => line.startsWith(`{"table":"${table}"`);
  const trailer = (change: (rows: Record<string, number>) => void): string => {
    const { rows } = JSON.parse(rest.at(-1) ?? '') as { rows: Record<string, number> };
    change(rows);
    return JSON.stringify({ rows });
  };
  const lines = rest.slice(0, -1);
  const more = JSON.stringify({ table: 'more', columns: ['id'], key: ['id'] });
  const contents: [lines: string[], problem: RegExp][] = [
    [
      [header, ...lines.filter((line) => !isTable(line, 'bookings')), trailer((rows) => delete rows['bookings'])],
      /lacks tables of its schema: bookings/,
    ],
    [
      [header, ...lines, more, trailer((rows) => (rows['more'] = 0))],
      /has a table that its schema does not have: more/,
    ],
    [
      [
        header,
        ...lines.map((line) => (isTable(line, 'bookings') ? line.replace('"unit_id"', '"other_id"') : line)),
        trailer(() => {}),
      ],
      /has other columns of bookings than its schema/,
    ],
  ];
  for (const [content, problem] of contents) {
    const target = await openTestDatabase('sqlite');
    try {
      const bytes = await buildBackup(content);
      await assert.rejects(restoreBytes(target.databases, bytes, { tenant: 'sund' }), /it is not empty/);
      await assert.rejects(restoreBytes(target.databases, bytes, { tenant: 'fjord' }), /is of the tenant sund/);
      const renamed = await buildBackup([content[0]?.replace('"sund"', '"fjord"') ?? '', ...content.slice(1)]);
      await assert.rejects(restoreBytes(target.databases, renamed, { tenant: 'fjord' }), problem);
    } finally {
      await target.close();
    }
  }
});
