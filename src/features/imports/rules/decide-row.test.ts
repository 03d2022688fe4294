// What an import does with a row, in tables, and against an oracle over all combinations of fields.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { FoundRow, ImportColumn, RowValues } from '../../import-kinds/import-kind.ts';
import { findStaleness, decideRow, refuseRow, type ResolvedRow } from './decide-row.ts';

const column = (field: string, more: Partial<ImportColumn> = {}): ImportColumn => ({
  field,
  description: '',
  example: '',
  ...more,
});
const columns = [column('name', { isRequired: true }), column('email'), column('apartment')];

const draft = (values: RowValues, more: Partial<ResolvedRow> = {}): ResolvedRow => ({
  position: 1,
  line: 2,
  key: 'k1',
  values,
  objectKid: null,
  errors: [],
  hasKey: true,
  namesObject: false,
  ...more,
});
const found = (values: RowValues | null, more: Partial<FoundRow> = {}): FoundRow => ({
  current: values === null ? null : { values, revision: '7' },
  errors: [],
  claims: [],
  ...more,
});

test('a row without an object creates one with all its fields', () => {
  const planned = decideRow({ columns }, draft({ name: 'Anna', email: '' }), found(null));
  assert.equal(planned.action, 'create');
  assert.deepEqual(planned.values, { name: 'Anna', email: '' });
  assert.deepEqual([planned.objectKid, planned.revision, planned.changes], [null, null, []]);
});

test('a required field must be there for a new object, and must not be emptied', () => {
  const required = [{ field: 'name', code: 'required', text: 'name: must not be empty.' }];
  for (const values of [{}, { name: '' }] as RowValues[])
    assert.deepEqual(decideRow({ columns }, draft(values), found(null)).errors, required);
  const current = { name: 'Anna', email: '', apartment: '' };
  assert.deepEqual(decideRow({ columns }, draft({ name: '' }), found(current)).errors, required);
  assert.equal(decideRow({ columns }, draft({ email: 'a@example.org' }), found(current)).action, 'update');
});

test('an object that exists gets its key by the first row that names it', () => {
  const current = { name: 'Anna', email: '', apartment: '' };
  const planned = decideRow(
    { columns },
    draft({ name: 'Anna' }, { hasKey: false, objectKid: 'sund-B1-R1001' }),
    found(current),
  );
  assert.equal(planned.action, 'update');
  assert.deepEqual(planned.changes, [{ field: 'key', before: null, after: 'k1' }]);
  assert.deepEqual(planned.values, {});
});

test('a row that names an object which does not exist creates none', () => {
  const planned = decideRow({ columns }, draft({ name: 'Anna' }, { namesObject: true }), found(null));
  assert.equal(planned.action, 'refused');
  assert.deepEqual(
    planned.errors.map(({ field, code }) => [field, code]),
    [['kid', 'unknown-object']],
  );
});

test('what cannot be changed is refused, field by field', () => {
  const planned = decideRow(
    { columns, isAppendOnly: true },
    draft({ name: 'Bo', email: '' }),
    found({ name: 'Anna', email: '' }),
  );
  assert.deepEqual(planned.errors, [
    { field: 'name', code: 'cannot-change', text: 'name: is Anna already, and cannot be changed.' },
  ]);
});

const values = fc.record(
  { name: fc.constantFrom('Anna', 'Bo'), email: fc.constantFrom('', 'a', 'b'), apartment: fc.constantFrom('', '1') },
  { requiredKeys: [], noNullPrototype: true },
);
const whole = fc.record(
  { name: fc.constantFrom('Anna', 'Bo'), email: fc.constantFrom('', 'a', 'b'), apartment: fc.constantFrom('', '1') },
  { noNullPrototype: true },
);

test('a change is planned exactly where the file has a field with another value', () => {
  fc.assert(
    fc.property(values, whole, (row, current) => {
      const planned = decideRow({ columns }, draft(row, { objectKid: 'sund-B1-R1001' }), found(current));
      const after: Record<string, string> = { ...current };
      for (const { field, before, after: next } of planned.changes) {
        assert.equal(after[field], before);
        after[field] = next ?? '';
      }
      assert.deepEqual(after, { ...current, ...row });
      assert.equal(planned.action, planned.changes.length === 0 ? 'unchanged' : 'update');
      assert.deepEqual(
        planned.values === null ? [] : Object.keys(planned.values).toSorted(),
        planned.changes.map(({ field }) => field).toSorted(),
      );
    }),
  );
});

test('a planned row is stale exactly if its object has another revision, or has come or gone', () => {
  const update = {
    action: 'update',
    revision: '7',
    values: { name: 'Bo' },
    changes: [{ field: 'name', before: 'Anna', after: 'Bo' }],
  } as const;
  assert.equal(findStaleness(update, { values: { name: 'Anna' }, revision: '7' }), undefined);
  assert.match(
    findStaleness(update, { values: { name: 'Carl' }, revision: '8' })![0]!.text,
    /was "Anna".*is "Carl" now/,
  );
  assert.match(findStaleness(update, { values: { name: 'Anna' }, revision: '8' })![0]!.text, /Other fields/);
  assert.equal(findStaleness(update, null)![0]!.code, 'stale');
  const create = { action: 'create', revision: null, values: { name: 'Bo' }, changes: [] } as const;
  assert.equal(findStaleness(create, null), undefined);
  assert.equal(findStaleness(create, { values: {}, revision: '1' })![0]!.code, 'stale');
});

test('a refused row stores nothing that could be applied', () => {
  const refused = refuseRow(draft({ name: 'Anna' }), [{ field: 'name', code: 'invalid', text: 'name: is wrong.' }]);
  assert.deepEqual([refused.action, refused.values, refused.changes], ['refused', null, []]);
});
