// How the console names the fields of imports and shows their values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfImportField } from '../../console/src/imports/field-names.ts';
import { formatImportValue } from '../../console/src/imports/field-value.ts';
import { createTranslate } from '../../console/src/language/catalogue.ts';
import { createFormats } from '../../console/src/language/formats.ts';
import { catalogueOf } from '../../console/src/language/texts.ts';
import { importKinds } from '../../src/features/import-kinds/import-kinds.ts';

const t = createTranslate('en', catalogueOf('en'));
const language = { t, formats: createFormats('en') };

test('[console.36] every field of every kind has a name for people', () => {
  for (const { name: kind, columns } of Object.values(importKinds))
    for (const field of [...columns.map((column) => column.field), 'key', 'kid']) {
      const shown = nameOfImportField(kind, field, t);
      assert.notEqual(shown, field, `${kind}.${field}`);
      assert.match(shown, /^[A-Z]/, `${kind}.${field}`);
    }
  assert.equal(nameOfImportField('residents', 'shoeSize', t), 'shoeSize');
  assert.equal(nameOfImportField('residents', 'toString', t), 'toString');
});

test('[console.36] a time is shown in the zone of its place, whatever zone the browser is in', () => {
  const shown = (field: string, value: string, zone = 'Atlantic/Reykjavik'): string =>
    formatImportValue(field, value, language, zone);
  assert.equal(shown('at', '2026-07-31T23:30:00.000Z', 'Europe/Copenhagen'), '1 Aug 2026, 01:30');
  assert.equal(shown('at', '2026-07-31T23:30:00.000Z'), '31 Jul 2026, 23:30');
  // Local time of the place already.
  assert.equal(shown('from', '2026-07-31T23:30:00.000', 'Europe/Copenhagen'), '31 Jul 2026, 23:30');
  assert.equal(shown('movedOut', '2026-02-28'), '28 Feb 2026');
  assert.equal(shown('enabled', 'false'), 'No');
});

test('[console.36] what is no such value is shown as it is', () => {
  const cases = [
    ['at', 'yesterday'],
    ['at', '2026-13-45T99:00:00Z'],
    ['day', '2026-02-31x'],
    ['enabled', 'perhaps'],
    ['name', '2026-07-31T23:30:00.000Z'],
    ['name', '<img src=x>'],
  ] as const;
  for (const [field, value] of cases) assert.equal(formatImportValue(field, value, language, 'UTC'), value);
});
