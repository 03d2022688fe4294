// The config of a synchronised folder: what it means, and every error by its path.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSyncConfig } from './sync-config.ts';

const facts = {
  residents: { belongsTo: 'bank', isDeactivatable: true },
  postings: { belongsTo: 'bank' },
  managers: { belongsTo: 'tenant' },
} as const;
const parse = (document: unknown, bankId?: number) =>
  parseSyncConfig(document, { tenant: 'sund', bankId, factsOf: (kind) => facts[kind as keyof typeof facts] });

const errorsOf = (document: unknown): string[] => {
  const parsed = parse(document);
  assert.ok('errors' in parsed, JSON.stringify(parsed));
  return parsed.errors.map(({ path, message }) => `${path} ${message}`);
};

test('what an entry leaves out has its default; a list is the incoming files', () => {
  const entry = { pattern: 'residents-*.csv', kind: 'residents', bank: 'sund-B1001' };
  const incoming = {
    pattern: 'residents-*.csv',
    kind: 'residents',
    bankId: 1001,
    profile: undefined,
    missing: 'keep',
    allowPartial: false,
    maxMissing: undefined,
    maxChanges: undefined,
  };
  assert.deepEqual(parse([entry]), { config: { incoming: [incoming], outgoing: [], charges: [] } });
  const full = {
    ...entry,
    profile: 'danish-residents',
    missing: 'deactivate',
    allowPartial: true,
    maxMissing: 25,
    maxChanges: 500,
  };
  const outgoing = { kind: 'managers', file: 'managers-{date}.csv' };
  const charges = { kind: 'charges', bank: 'sund-B1001', file: 'charges-{period}.csv', fromPeriod: 4 };
  assert.deepEqual(parse({ in: [full], out: [charges, outgoing] }), {
    config: {
      incoming: [{ ...full, bank: undefined, bankId: 1001 }].map(({ bank: _bank, ...rest }) => rest),
      outgoing: [{ path: 'out[1]', ...outgoing, bankId: 0, profile: undefined }],
      charges: [{ path: 'out[0]', bankId: 1001, file: 'charges-{period}.csv', fromPeriod: 4 }],
    },
  });
});

test('the bank of the command is that of entries that name none, if their kind belongs to a bank', () => {
  const parsed = parse(
    {
      in: [
        { pattern: 'a', kind: 'residents' },
        { pattern: 'b', kind: 'managers' },
      ],
    },
    7,
  );
  assert.ok('config' in parsed);
  assert.deepEqual(
    parsed.config.incoming.map(({ bankId }) => bankId),
    [7, 0],
  );
});

test('[sync.09] the config is refused with every error, by its path', () => {
  assert.deepEqual(errorsOf(null), ['config must be object']);
  assert.deepEqual(errorsOf({ inn: [] }), ['inn is not a property of the config']);
  assert.deepEqual(errorsOf([{ pattern: '', kind: 'people', missing: 'delete', maxMissing: -1, profile: 'A' }]), [
    'in[0].pattern must not have fewer than 1 characters',
    'in[0].kind must be one of banks, locations, units, residents, keys, settings, opening-exceptions, readings, postings, bookings, installers, managers',
    'in[0].profile must be the name of a profile',
    'in[0].missing must be one of keep, deactivate',
    'in[0].maxMissing must be >= 0',
  ]);
  assert.deepEqual(
    errorsOf({
      in: [
        { pattern: '../*', kind: 'residents' },
        { pattern: 'a', kind: 'residents', bank: 'fjord-B1', maxMissing: 3 },
        { pattern: 'a', kind: 'managers', bank: 'sund-B1' },
        { pattern: 'c', kind: 'postings', bank: 'sund-B1', missing: 'deactivate' },
        { pattern: 'd', kind: 'units' },
      ],
      out: [
        { kind: 'residents', bank: 'sund-B1', file: '.hidden' },
        { kind: 'managers', file: 'x-{day}' },
        { kind: 'managers', file: 'x-{day}' },
        { kind: 'managers', file: 'x-{period}', fromPeriod: 1 },
        { kind: 'charges', file: 'c-{date}', profile: 'charges' },
        { kind: 'charges', bank: 'sund-B1', file: 'd-{period}', fromPeriod: 1 },
        { kind: 'charges', bank: 'sund-B1', file: 'e-{period}-{x}', fromPeriod: 1 },
      ],
    }),
    [
      'in[0].bank is missing: residents belong to a bank',
      'in[0].pattern must match names of files, without folders, that do not begin with a dot',
      'in[1].bank must be the KID of a bank of this tenant, such as sund-B1001',
      'in[1].maxMissing needs "missing": "deactivate"',
      'in[2].bank must be left out: managers belong to no bank',
      'in[2].pattern is that of an earlier entry, which is used',
      'in[3].missing must be keep: postings cannot be deactivated',
      'in[4].kind is of no use yet: units cannot be imported',
      'out[0].file must be the name of a file, without folders, that does not begin with a dot',
      'out[1].file must have no braces but those of {date}',
      'out[2].file must have no braces but those of {date}',
      'out[2].file is that of an earlier entry',
      'out[3].file must have no braces but those of {date}',
      'out[3].fromPeriod is only for charges',
      'out[4].bank is missing: charges belong to a bank',
      'out[4].file must have {period}: each settlement period has a file of its own',
      'out[4].profile must be left out: the command charges sets that of the bank',
      'out[4].fromPeriod is missing: the first settlement period whose charges are written',
      'out[6].file must have no braces but those of {date} and {period}',
      'out[6].bank is that of an earlier entry of charges',
    ],
  );
});
