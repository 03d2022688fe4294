// Checks which receipt each posting belongs to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kinds, type Kind } from '../../account/rules/posting-kinds.ts';
import { findReceiptKind, type ReceiptKind } from './receipt-kinds.ts';

test('[receipts.12, receipts.23] every kind of posting goes into one of four receipts, monthly lines into none', () => {
  const table: [Kind, debit: ReceiptKind | undefined, credit: ReceiptKind | undefined][] = [
    ['Unknown', 'Purchase', 'Payment'],
    ['Consumption', 'Purchase', 'Purchase'],
    ['Booking', 'Purchase', 'Purchase'],
    ['Month', undefined, undefined],
    ['Payment', 'Payment', 'Payment'],
    ['Credit', 'Payment', 'Payment'],
    ['Discount', 'Discount', 'Discount'],
    ['TransferToRent', 'TransferToRent', 'TransferToRent'],
  ];
  assert.deepEqual(
    table.map(([kind]) => kind),
    [...kinds],
  );
  for (const [kind, debit, credit] of table)
    assert.deepEqual([findReceiptKind(kind, false), findReceiptKind(kind, true)], [debit, credit], kind);
});
