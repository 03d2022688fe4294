// ExportBankUsers: the file, its bound, and who gets it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../src/permissions/matrix.ts';
import { guardText, parseCsv, readCsv, readCsvTable } from '../support/csv.ts';
import { usersPath } from '../support/resident-calls.ts';
import { createBankOfResidents, type ResidentDraft } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId, issueToken }) => {
  async function createBank(residents: readonly ResidentDraft[]): Promise<number> {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, residents);
    return bankId;
  }
  const download = (bankId: number, query = '', token = manager.token) =>
    service.call('GET', `${usersPath(bankId)}/export.csv?${query}`, { token });

  test('[residents.05, residents.12] the file is UTF-8 with a byte order mark, commas, quotes and CRLF, one row a resident', async () => {
    const bankId = await createBank([
      {
        name: 'Åse "Ace" Lund, Sr.',
        email: 'ase@example.org',
        phone: '+45 12345678',
        apartment: '2; tv',
        language: 'da',
      },
      { name: 'Bo', location_id: null, enabled: 0 },
      { name: 'Cid', location_id: 2, deleted_at: testNow },
    ]);
    const { status, headers, bytes } = await download(bankId);
    const kid = `sund-B${bankId}`;
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(headers['content-disposition'], `attachment; filename="${kid}-users.csv"`);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf');
    const text = bytes.subarray(3).toString('utf8');
    const expected = [
      ['kid', 'name', 'email', 'phone', 'apartment', 'locationKid', 'locationName', 'state', 'language'],
      [
        `${kid}-R1001`,
        'Åse "Ace" Lund, Sr.',
        'ase@example.org',
        guardText('+45 12345678'),
        '2; tv',
        `${kid}-L1`,
        'Location 1',
        'active',
        'da',
      ],
      [`${kid}-R1002`, 'Bo', '', '', '', '', '', 'disabled', 'en'],
      [`${kid}-R1003`, 'Cid', '', '', '', `${kid}-L2`, 'Location 2', 'deleted', 'en'],
    ];
    assert.deepEqual(readCsv(text), expected);
    assert.deepEqual(parseCsv(bytes), expected);
    assert.ok(text.endsWith('\r\n'));
  });

  test('[residents.12] a text that a spreadsheet could take for a formula begins with an apostrophe, in every column', async () => {
    const dangers = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '＝1', ' =1', 'a;=1', '+45 12 34 56 78', '12', '-5'];
    const bankId = await createBank(dangers.map((text) => ({ name: text, apartment: text, phone: text, email: text })));
    const rows = readCsvTable((await download(bankId, 'sort=kid')).bytes);
    for (const [at, text] of dangers.entries())
      for (const column of ['name', 'apartment', 'phone', 'email'])
        assert.equal(rows[at]?.[column], guardText(text), `${column}: ${text}`);
  });

  test('[residents.11] the file has the residents of the list with the same filters, all of them', async () => {
    const bankId = await createBank(
      Array.from({ length: 1000 }, (_, at) => ({
        name: `Resident ${1000 - at}`,
        enabled: at % 3 === 0 ? 0 : 1,
        location_id: 1 + (at % 2),
        deleted_at: at % 10 === 9 ? testNow : null,
      })),
    );
    const queries = [
      '',
      'sort=kid&direction=desc',
      'state=active',
      'state=deleted',
      'filter=resident%201',
      'filter=zzz',
    ];
    for (const query of [...queries, `locationKid=sund-B${bankId}-L2&state=disabled`]) {
      const listed: string[] = [];
      for (let offset = 0; offset === listed.length; offset += 200) {
        const { json } = await service.call('GET', `${usersPath(bankId)}?${query}&limit=200&offset=${offset}`, manager);
        listed.push(...json.items.map(({ kid }: { kid: string }) => kid));
      }
      const rows = readCsvTable((await download(bankId, query)).bytes);
      assert.deepEqual(
        rows.map(({ kid }) => kid),
        listed,
        query,
      );
    }
  });

  test('[residents.27] for programs every text is as it is stored, and only quotes are doubled', async () => {
    const texts = ['=1+1', '+cmd', '@SUM(A1)', ' =1', 'a;=1', '+45 12 34 56 78', 'say "hi"', 'two\nlines', '-5', ''];
    const bankId = await createBank(texts.map((text) => ({ name: text, apartment: text, phone: text, email: text })));
    await service.write('sund', (db) =>
      db.updateTable('locations').set({ name: '=Location "1"' }).where('bank_id', '=', bankId).execute(),
    );
    const rows = readCsvTable((await download(bankId, 'sort=kid&for=programs')).bytes);
    for (const [at, text] of texts.entries())
      for (const column of ['name', 'apartment', 'phone', 'email']) assert.equal(rows[at]?.[column], text, column);
    assert.deepEqual(
      rows.map(({ locationKid, locationName }) => [locationKid, locationName]),
      texts.map(() => [`sund-B${bankId}-L1`, '=Location "1"']),
    );
    const guarded = readCsvTable((await download(bankId, 'sort=kid&for=spreadsheets')).bytes);
    assert.equal(guarded[0]?.['name'], guardText('=1+1'));
    assert.equal((await download(bankId, 'for=people')).status, 400);
  });

  test('[residents.05, residents.11] more than 10,000 residents are a file, all of them, and no residents are a file with only column names', async () => {
    const bankId = await createBank(Array.from({ length: 10_001 }, (_, at) => ({ enabled: at === 0 ? 0 : 1 })));
    const all = readCsvTable((await download(bankId, 'sort=kid')).bytes);
    assert.equal(new Set(all.map(({ kid }) => kid)).size, 10_001);
    const rows = readCsvTable((await download(bankId, 'state=active&sort=kid')).bytes);
    assert.deepEqual(
      rows.map(({ kid }) => kid),
      Array.from({ length: 10_000 }, (_, at) => `sund-B${bankId}-R${1002 + at}`),
    );
    assert.deepEqual(readCsvTable((await download(bankId, 'filter=zzz')).bytes), []);
  });

  test('[residents.06] the file needs Users2, Bank Read and User Read', async () => {
    const bankId = await createBank([{}]);
    const permissions: Permission[] = ['Bank.Read', 'User.Read'];
    const grants = [{ bankId, locationId: 1 }];
    const open = await issueToken({ tabs: ['Users2'], permissions, grants });
    assert.equal((await download(bankId, '', open)).status, 200);
    const table = [
      [{ tabs: ['Account2'] }, 'missing-tab'],
      [{ permissions: ['Bank.Read'] }, 'missing-user-read'],
      [{ permissions: ['User.Read'] }, 'missing-bank-read'],
      [{ grants: [] }, 'too-narrow'],
    ] as const;
    for (const [change, reason] of table) {
      const token = await issueToken({ tabs: ['Users2'], permissions, grants, ...change });
      const { status, json } = await download(bankId, '', token);
      assert.deepEqual([status, json.reason], [403, reason]);
    }
  });

  test('[residents.11] the file is not paged', async () => {
    const bankId = await createBank([{}]);
    for (const query of ['limit=1', 'offset=1', 'state=none', 'sort=email', `locationKid=sund-B${bankId - 1}-L1`])
      assert.equal((await download(bankId, query)).status, 400, query);
  });
});
