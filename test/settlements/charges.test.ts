// What a settlement charges to residents, in the profile of the bank: exact, whole, and only where one is set.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setChargeProfile } from '../../src/features/settlements/commands/charges-by-operator.ts';
import type { ChargeProfile } from '../../src/features/settlements/queries/charge-profiles.ts';
import type { BankModel } from '../support/account-oracle.ts';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { readZip } from '../support/archives.ts';
import { readAuditEntries } from '../support/audit.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { archivePath, downloadArchive, readArchive } from '../support/settlements.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

type Draft = Parameters<typeof postingDraft>[1];

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  const createOperator = () => ({
    database: service.dependencies.databases.forTenant('sund'),
    tenant: service.dependencies.config.tenants.find(({ name }) => name === 'sund')!,
    clock: () => clock.now,
  });
  const residents = new Map([
    [1001, { name: 'Åse Sørensen', expiredAt: null }],
    [1002, { name: 'Demo Resident Łan', expiredAt: null }],
    [1003, { name: 'Expired', expiredAt: testNow }],
    [1004, { name: 'Name '.repeat(20).trim(), expiredAt: null }],
  ]);
  const rent = 2;
  async function createRentBank(columns: { bank_type?: number; discount_basis_points?: number } = {}) {
    const book = await newBank(suite, { residents, openedAt: testNow - 30 * dayMs });
    await service.write('sund', (db) =>
      db
        .updateTable('banks')
        .set({ bank_type: rent, ...columns })
        .where('bank_id', '=', book.bankId)
        .execute(),
    );
    return book;
  }
  const set = async ({ bankId }: BankModel, profile: ChargeProfile | null): Promise<void> => {
    assert.deepEqual(await setChargeProfile(createOperator(), bankId, () => profile), { profile });
  };
  const own = (profile: string): ChargeProfile => ({ profile, keySource: 'portal' });
  const settle = async (book: BankModel, ...drafts: readonly Draft[]): Promise<number> => {
    await recordInBoth(
      service,
      book,
      drafts.map((draft) => postingDraft(testNow - dayMs, draft)),
    );
    return closePeriodInBoth(service, book, testNow - hourMs);
  };
  const bytesOf = async (book: BankModel): Promise<Buffer> =>
    (await downloadArchive(service, manager.token, book, 1)).bytes;
  const chargesOf = (archive: Buffer): Buffer | undefined =>
    readZip(archive).find(({ name }) => name === 'charges.csv')?.bytes;
  const linesOf = async (book: BankModel, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string[]> => {
    const lines =
      chargesOf(await bytesOf(book))
        ?.toString(encoding)
        .split('\r\n') ?? [];
    assert.equal(lines.at(-1), '', 'the last line has its end as well');
    return lines.slice(0, -1);
  };
  const csvHeader = 'Lejemål;Navn;Periode fra;Periode til;Beløb;Valuta';

  test('only with a profile an archive has charges; without it, it is byte for byte what it was', async () => {
    const book = await createRentBank();
    await settle(book, { amountMinor: -12_345n });
    const plain = await bytesOf(book);
    assert.deepEqual(readArchive(plain).names, ['postings.csv', 'residents.csv', 'totals.csv', 'manifest.json']);
    await set(book, own('charges'));
    const charged = await bytesOf(book);
    assert.ok(charged.equals(await bytesOf(book)));
    const { names, manifest } = readArchive(charged);
    assert.deepEqual(names, ['postings.csv', 'residents.csv', 'totals.csv', 'charges.csv', 'manifest.json']);
    const { files, charges } = manifest as typeof manifest & { charges: object };
    assert.deepEqual(charges, { profile: 'charges', version: null, keys: 'portal', withheld: 0 });
    assert.deepEqual(
      [files.at(-1)?.name, files.at(-1)?.rows, files.at(-1)?.bytes],
      ['charges.csv', 1, chargesOf(charged)?.length],
    );
    // All other files are the same.
    const others = (archive: Buffer) => readZip(archive).filter(({ name }) => /^(?!charges|manifest)/.test(name));
    assert.deepEqual(others(charged), others(plain));
    await set(book, null);
    assert.ok(plain.equals(await bytesOf(book)));
  });

  test('a charge is what the settlement moves to the rent: purchases less discount and payments, by currency', async () => {
    const book = await createRentBank({ discount_basis_points: 1000 });
    await set(book, own('charges'));
    await settle(
      book,
      { amountMinor: -12_345n },
      { amountMinor: 2345n, kind: 'Payment' },
      { amountMinor: -700n, currency: 'EUR' },
      // More was paid than used, and the guest is nobody to be charged.
      { residentId: 1002, amountMinor: 5000n, kind: 'Payment' },
      { residentId: 1002, amountMinor: -100n },
      { residentId: 1000, amountMinor: -400n },
      // Whoever has a transfer of the period has that one, and no other.
      { residentId: 1004, amountMinor: -500n, currency: 'EUR' },
      { residentId: 1004, amountMinor: 400n, currency: 'EUR', kind: 'TransferToRent' },
      { residentId: 5005, amountMinor: -100n },
    );
    await service.write('sund', (db) =>
      db
        .insertInto('import_keys')
        .values({
          kind: 'residents',
          bank_id: book.bankId,
          source: 'danish-residents',
          source_key: '101-2',
          object_kid: `${book.bankKid}-R1001`,
        })
        .execute(),
    );
    await set(book, { profile: 'charges', keySource: 'danish-residents' });
    const days = '16-05-2026;15-06-2026';
    assert.deepEqual(await linesOf(book), [
      csvHeader,
      `101-2;Åse Sørensen;${days};87,66;DKK`,
      `101-2;Åse Sørensen;${days};7,00;EUR`,
      `${book.bankKid}-R1004;${residents.get(1004)?.name};${days};4,00;EUR`,
      `${book.bankKid}-R5005;;${days};0,90;DKK`,
    ]);
    const receipts = await service.call('GET', `/api/v1/users/${book.bankKid}-R1001/receipts`, manager);
    const transfers = receipts.json.items.filter(({ kind }: { kind: string }) => kind === 'TransferToRent');
    assert.deepEqual(
      transfers
        .map(({ currency, totalMinor }: { currency: string; totalMinor: number }) => [currency, totalMinor])
        .toSorted(),
      [
        ['DKK', -8766],
        ['EUR', -700],
      ],
    );
  });

  test('a cash bank moves nothing to the rent, and has a file without charges', async () => {
    const book = await createRentBank({ bank_type: 1 });
    await set(book, own('charges'));
    await settle(book, { amountMinor: -12_345n });
    assert.deepEqual(await linesOf(book), [csvHeader]);
  });

  test('a file of fixed width has the sign at its position, and names that fit', async () => {
    const book = await createRentBank();
    await set(book, own('charges-fixed-width'));
    await settle(
      book,
      { amountMinor: -12_345n },
      { residentId: 1002, amountMinor: -50n, kind: 'TransferToRent' },
      { residentId: 1004, amountMinor: -1n },
    );
    const kid = (id: number): string => `${book.bankKid}-R${id}`.padEnd(16);
    const line = (id: number, name: string, sign: string, digits: string): string =>
      `${kid(id)}${name.padEnd(40)}2026051620260615${sign}${digits.padStart(12, '0')}DKK`;
    assert.deepEqual(await linesOf(book, 'latin1'), [
      line(1001, 'Åse Sørensen', '+', '12345'),
      line(1002, 'Demo Resident Lan', '-', '50'),
      line(1004, 'Name '.repeat(8).trim(), '+', '1'),
    ]);
  });

  test('a record D of the German data exchange has costs, prepayments and balance at their positions', async () => {
    const book = await createRentBank();
    await set(book, own('heiwako-d'));
    await settle(
      book,
      { amountMinor: -85_025n, currency: 'EUR' },
      { amountMinor: 50_050n, currency: 'EUR', kind: 'Payment' },
    );
    const [line = '', ...rest] = await linesOf(book, 'latin1');
    assert.deepEqual([line.length, rest], [1024, []]);
    const texts = [
      [1, 6],
      [32, 51],
      [52, 57],
      [58, 67],
      [78, 87],
      [128, 137],
      [166, 200],
      [201, 203],
      [1024, 1024],
    ].map(([from = 1, through = 1]) => line.slice(from - 1, through).trimEnd());
    assert.deepEqual(texts, [
      'D03.10',
      `${book.bankKid}-R1001`,
      '150626',
      '0000085025',
      '0000050050',
      '0000034975',
      'Åse Sørensen',
      'EUR',
      'D',
    ]);
  });

  test('amounts keep every digit, also where a currency has other decimals than the profile, and beyond 64 bits', async () => {
    const book = await createRentBank();
    await set(book, own('charges'));
    const least = -(2n ** 63n);
    await settle(
      book,
      { amountMinor: least },
      { amountMinor: least },
      { amountMinor: -1250n, currency: 'ISK' },
      { amountMinor: -1250n, currency: 'KWD' },
    );
    assert.deepEqual(
      (await linesOf(book)).slice(1).map((line) => line.split(';').slice(-2).join(' ')),
      ['184467440737095516,16 DKK', '1250,00 ISK', '1,25 KWD'],
    );
  });

  test('what cannot be written is a refusal that says why, and nothing of it is sent', async () => {
    const cases: [profile: string, draft: Draft, detail: RegExp][] = [
      ['charges-fixed-width', { amountMinor: -1_000_000_000_000n }, /amountMinor: must have 12 characters at most/],
      ['charges', { amountMinor: -1251n, currency: 'KWD' }, /has more decimals than the 2 of its column/],
      ['charges', { amountMinor: 100n, currency: '', kind: 'TransferToRent' }, /its currency is not known/],
    ];
    for (const [profile, draft, detail] of cases) {
      const book = await createRentBank();
      await settle(book, draft);
      await set(book, own(profile));
      const { status, json } = await service.call('GET', archivePath(book, 1), manager);
      assert.deepEqual([status, json.code], [422, 'charges-not-writable']);
      assert.match(json.detail, detail);
      assert.match(json.detail, new RegExp(`^The charge of ${book.bankKid}-R1001 cannot be written by the profile`));
      await set(book, null);
      assert.equal(chargesOf(await bytesOf(book)), undefined);
    }
  });

  test('residents whose identities are no longer shown have no charge, and the manifest counts them', async () => {
    const book = await createRentBank();
    await set(book, own('charges'));
    await settle(
      book,
      { amountMinor: -100n },
      { residentId: 1003, amountMinor: -300n },
      { residentId: 1002, recordedAt: testNow - 500 * dayMs },
    );
    assert.deepEqual((await linesOf(book)).length, 2);
    const { charges } = readArchive(await bytesOf(book)).manifest as unknown as { charges: { withheld: number } };
    assert.equal(charges.withheld, 2);
  });

  test('only a profile of charges, and keys that residents can have, are set; the audit log has each change once', async () => {
    const book = await createRentBank();
    const change = (profile: string, keySource = 'portal') =>
      setChargeProfile(createOperator(), book.bankId, () => ({ profile, keySource }));
    assert.deepEqual(await change('danish-residents'), { unknown: 'profile' });
    assert.deepEqual(await change('nothing'), { unknown: 'profile' });
    assert.deepEqual(await change('charges', 'heiwako-a'), { unknown: 'keySource' });
    await set(book, own('charges'));
    await set(book, own('charges'));
    await set(book, null);
    const entries = (await readAuditEntries(service)).filter(({ object }) => object === book.bankKid);
    assert.deepEqual(
      entries.map(({ operation, old_values, new_values }) => [operation, old_values, new_values]),
      [
        ['charges', null, JSON.stringify(own('charges'))],
        ['charges', JSON.stringify(own('charges')), null],
      ],
    );
  });
});
