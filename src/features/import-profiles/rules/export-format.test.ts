// Rows of an export, and the amounts in them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { RowValues } from '../../import-kinds/import-kind.ts';
import { createExportFormat } from './export-format.ts';
import { parseUnsigned } from './profile-amounts.ts';
import { formatTemplate } from './template.ts';

const columns = [
  { field: 'name', description: '', example: '=Anna' },
  { field: 'amount', description: '', example: '12.50', decimals: 2 },
];

test('a row has the key, then the columns of the kind; formulas are guarded for spreadsheets alone', () => {
  const rows: readonly RowValues[] = [{ key: 'k1', name: '=1+1', amount: '-1250' }, { key: 'k2' }];
  const forSpreadsheets = createExportFormat({ columns }, 'spreadsheets');
  assert.equal(forSpreadsheets.header, '\uFEFF"key","name","amount"\r\n');
  assert.equal([...forSpreadsheets.formatRows(rows)].join(''), '"k1","\'=1+1","-12.50"\r\n"k2","",""\r\n');
  assert.match([...createExportFormat({ columns }, 'programs').formatRows(rows)].join(''), /"=1\+1"/);
});

test('an amount of any size is written so that it is read as the same one', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n - 2n ** 63n, max: 2n ** 63n - 1n }),
      fc.integer({ min: 0, max: 4 }),
      (amount, decimals) => {
        const column = { field: 'amount', description: '', example: '', decimals };
        const [row = ''] = createExportFormat({ columns: [column] }, 'programs').formatRows([
          { amount: String(amount) },
        ]);
        const [, text = ''] = /,"([^"]*)"/.exec(row) ?? [];
        const parsed = parseUnsigned(text.replace('-', ''), { decimals, decimal: '.' });
        assert.ok('amount' in parsed, text);
        assert.equal(text.startsWith('-') ? -parsed.amount : parsed.amount, amount);
      },
    ),
  );
});

test('a template has the columns of the kind and an example, parted as spreadsheets of the country do', () => {
  assert.equal(formatTemplate({ columns }, 'DK').split('\r\n')[0], '\uFEFFkey;kid;name;amount');
  assert.equal(formatTemplate({ columns }, 'GB').split('\r\n')[0], '\uFEFFkey,kid,name,amount');
  assert.equal(formatTemplate({ columns }, 'DK').split('\r\n')[1], "1;;'=Anna;12.50");
});
