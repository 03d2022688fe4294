// KIDs against an oracle written another way: one regular expression per type over the whole spelling, bounds checked
// apart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatKid, gdprUserId, guestId, kidFormatOf, parseKid, type Kid, type KidType } from './kid.ts';

const tenants = ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'] as const;
const int32Max = 2 ** 31 - 1;
const int64Max = 2n ** 63n - 1n;

const allTypes = [
  'tenant',
  'bank',
  'location',
  'unit',
  'user',
  'posting',
  'event',
  'document',
  'computer',
  'heldLine',
  'import',
  'manager',
  'installer',
  'service',
] as const satisfies readonly KidType[];

const examples: readonly (readonly [spelling: string, kid: Kid])[] = [
  ['sund', { type: 'tenant', tenant: 'sund' }],
  ['sund-B1001', { type: 'bank', tenant: 'sund', bankId: 1001 }],
  ['sund-B1001-L12', { type: 'location', tenant: 'sund', bankId: 1001, locationId: 12 }],
  ['sund-B1001-L12-U7', { type: 'unit', tenant: 'sund', bankId: 1001, locationId: 12, unitId: 7 }],
  ['sund-B1001-R1042', { type: 'user', tenant: 'sund', bankId: 1001, residentId: 1042 }],
  ['sund-B1001-R1000', { type: 'user', tenant: 'sund', bankId: 1001, residentId: guestId }],
  ['sund-B1001-R0', { type: 'user', tenant: 'sund', bankId: 1001, residentId: gdprUserId }],
  ['sund-B1001-X123456', { type: 'posting', tenant: 'sund', bankId: 1001, postingId: 123456n }],
  ['sund-B1001-E9876', { type: 'event', tenant: 'sund', bankId: 1001, eventId: 9876n }],
  [
    'sund-B1001-L12-U7-D5551',
    { type: 'document', tenant: 'sund', bankId: 1001, locationId: 12, unitId: 7, documentId: 5551n },
  ],
  ['sund-B1001-C3', { type: 'computer', tenant: 'sund', bankId: 1001, computerId: 3 }],
  ['sund-B1001-H77', { type: 'heldLine', tenant: 'sund', bankId: 1001, heldLineId: 77 }],
  ['sund-F12', { type: 'import', tenant: 'sund', importId: 12 }],
  ['sund-M1001', { type: 'manager', tenant: 'sund', managerId: 1001 }],
  ['sund-I2001', { type: 'installer', tenant: 'sund', installerId: 2001 }],
  ['sund-B0-M3', { type: 'service', tenant: 'sund', serviceId: 3 }],
];

const n = '(0|[1-9][0-9]*)';
const oracle: Record<KidType, { spelling: RegExp; bounds: readonly (readonly [min: bigint, max: bigint])[] }> = {
  tenant: { spelling: /^sund$/, bounds: [] },
  bank: { spelling: regExp(`^sund-B${n}$`), bounds: [id32()] },
  location: { spelling: regExp(`^sund-B${n}-L${n}$`), bounds: [id32(), id32()] },
  unit: { spelling: regExp(`^sund-B${n}-L${n}-U${n}$`), bounds: [id32(), id32(), id32()] },
  user: {
    spelling: regExp(`^sund-B${n}-R(0|1[0-9]{3}|[2-9][0-9]{3}|[1-9][0-9]{4})$`),
    bounds: [id32(), [0n, 99_999n]],
  },
  posting: { spelling: regExp(`^sund-B${n}-X${n}$`), bounds: [id32(), id64()] },
  event: { spelling: regExp(`^sund-B${n}-E${n}$`), bounds: [id32(), id64()] },
  document: { spelling: regExp(`^sund-B${n}-L${n}-U${n}-D${n}$`), bounds: [id32(), id32(), id32(), id64()] },
  computer: { spelling: regExp(`^sund-B${n}-C${n}$`), bounds: [id32(), id32()] },
  heldLine: { spelling: regExp(`^sund-B${n}-H${n}$`), bounds: [id32(), id32()] },
  import: { spelling: regExp(`^sund-F${n}$`), bounds: [id32()] },
  manager: { spelling: regExp(`^sund-M${n}$`), bounds: [[1000n, BigInt(int32Max)]] },
  installer: { spelling: regExp(`^sund-I${n}$`), bounds: [id32()] },
  service: { spelling: /^sund-B0-M([1-9][0-9]{0,2})$/, bounds: [[1n, 999n]] },
};

const arbitraryKids = fc.constantFrom(...tenants).chain(kidsOf);
const sundKids = kidsOf('sund');

// What hostile spellings are made of: the letters and digits of real ones, and characters that look or behave like
// them.
const lookalike = fc.constantFrom(
  [
    '-',
    '--',
    'B',
    'L',
    'U',
    'R',
    'X',
    'E',
    'D',
    'C',
    'H',
    'F',
    'M',
    'I',
    'b',
    'm',
    'Q',
    '0',
    '00',
    '1',
    '7',
    '+',
    '.',
    '~',
    ' ',
  ],
  ['\n', '\t', '\0', '%2D', '0x1', '1e3', '1n', '１', '٣', '‐', '−', '\u200b', 'В', 'İ', '\ud800', '\udc00', '😀'],
);

test('[kid.01] every object has a KID that names it and no other', () => {
  assert.deepEqual(new Set(examples.map(([, kid]) => kid.type)), new Set(allTypes));
  for (const [spelling, kid] of examples) {
    assert.equal(formatKid(kid), spelling);
    assert.deepEqual(parseKid(spelling, kid.tenant, allTypes), kid);
  }
  fc.assert(
    fc.property(arbitraryKids, arbitraryKids, (one, other) => {
      assert.equal(formatKid(one) === formatKid(other), isSameObject(one, other));
    }),
  );
});

test('[kid.01] a KID read back is the object it was spelled from, for every type', () => {
  fc.assert(
    fc.property(arbitraryKids, (kid) => {
      assert.deepEqual(parseKid(formatKid(kid), kid.tenant, [kid.type]), kid);
      assert.deepEqual(parseKid(formatKid(kid), kid.tenant, allTypes), kid);
    }),
    { numRuns: 1000 },
  );
});

test('a KID of a type not asked for is not accepted', () => {
  for (const [spelling, kid] of examples) {
    for (const type of allTypes) {
      assert.deepEqual(
        parseKid(spelling, 'sund', [type]),
        type === kid.type ? kid : undefined,
        `${spelling} as ${type}`,
      );
    }
    assert.equal(parseKid(spelling, 'sund', []), undefined);
  }
});

test('a KID of another tenant is malformed', () => {
  for (const [spelling] of examples) {
    for (const tenant of ['fjord', 'sun', 'sunda', 'und', 'SUND', 'sund-']) {
      assert.equal(parseKid(spelling, tenant, allTypes), undefined, `${spelling} on ${tenant}`);
    }
    assert.equal(parseKid(`x${spelling}`, 'sund', allTypes), undefined);
    assert.equal(parseKid(spelling.replace('sund', 'sundx'), 'sund', allTypes), undefined);
  }
  fc.assert(
    fc.property(arbitraryKids, fc.constantFrom(...tenants), (kid, tenant) => {
      assert.equal(parseKid(formatKid(kid), tenant, allTypes) !== undefined, kid.tenant === tenant);
    }),
  );
});

test('[kid.07] only one spelling per object is accepted', () => {
  const refused = [
    // other case
    ['Sund', 'SUND-B1001', 'sund-b1001', 'sund-B1001-l12', 'sund-B1001-L12-u7', 'sund-B1001-r1042', 'sund-m1001'],
    // leading zeros, signs and other ways to write a number
    ['sund-B01001', 'sund-B1001-L012', 'sund-B1001-R00', 'sund-B1001-R01042', 'sund-B00-M3', 'sund-B0-M03'],
    ['sund-B+1001', 'sund-B-1001', 'sund-B1001.0', 'sund-B1e3', 'sund-B0x3E9', 'sund-B1_001', 'sund-B1001n'],
    ['sund-B１'],
    ['sund-B1001-X0123456', 'sund-B1001-X-1', 'sund-B1001-X1.5'],
    // empty parts
    ['', '-', 'sund-', 'sund--B1001', 'sund-B', 'sund-B1001-', 'sund-B1001--L12', 'sund-B1001-L', 'sund-B-L12'],
    ['-B1001', 'sund-B1001-L12-U7-', 'sund-B1001-L12-U7-D', '-sund', 'sund-M', 'sund-B0-M', 'sund-----'],
    // unknown parts, and parts too many
    ['sund-Z1', 'sund-B1001-Z1', 'sund-B1001-L12-Z7', 'sund-B1001-L12-U7-Z1', 'sund-1', 'sund-B1001-12'],
    ['sund-B1001-B1001', 'sund-B1001-L12-U7-D5551-D5551', 'sund-B1001-L12-U7-D5551-', 'sund-M1001-M1001'],
    // wrong order, and parts that do not belong together
    ['sund-L12-B1001', 'sund-B1001-U7-L12', 'sund-L12', 'sund-U7', 'sund-R1042', 'sund-X1', 'sund-E1', 'sund-D1'],
    ['sund-B1001-U7', 'sund-B1001-D5551', 'sund-B1001-L12-D5551', 'sund-B1001-L12-R1042', 'sund-B1001-L12-X1'],
    ['sund-B1001-M1001', 'sund-B1001-I2001', 'sund-M1001-B1001', 'sund-M3-B0', 'B1001-sund', 'sund-BL1001-12'],
    // anything around it
    [' sund', 'sund ', 'sund\n', 'sund-B1001\n', 'sund-B1001 ', 'sund-B 1001', 'sund -B1001', 'sund-B1001\0'],
    ['sund%2DB1001', 'sund‐B1001', 'sund-В1001', 'sund-B1001\ud800', '\u202esund', '__proto__', 'constructor'],
  ].flat();
  for (const spelling of refused)
    assert.equal(parseKid(spelling, 'sund', allTypes), undefined, JSON.stringify(spelling));
});

test('[kid.07] whatever is accepted is spelled again as it was, however a KID is mutated', () => {
  let accepted = 0;
  fc.assert(
    fc.property(mutations(), (text) => {
      const kid = parseKid(text, 'sund', allTypes);
      if (kid === undefined) return;
      accepted += 1;
      assert.equal(formatKid(kid), text);
    }),
    { numRuns: 5000 },
  );
  assert.ok(accepted > 0, 'some mutations are KIDs of other objects');
});

test('[kid.07] exactly those spellings are accepted that one regular expression per type describes', () => {
  const near = fc.array(fc.constantFrom('sund', '-B', '-L', '-U', '-R', '-M', '-D', '-X', '0', '1', '7', '99', '1000'));
  const texts = fc.oneof(
    mutations(),
    sundKids.map(formatKid),
    near.map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const expected = allTypes.filter((type) => describes(type, text));
      assert.ok(expected.length <= 1, `${text} has one meaning`);
      assert.equal(parseKid(text, 'sund', allTypes)?.type, expected[0], JSON.stringify(text));
    }),
    { numRuns: 5000 },
  );
});

test('[kid.08] tenant, bank, location and unit KIDs read sund, sund-B1001, sund-B1001-L12, sund-B1001-L12-U7', () => {
  assert.equal(formatKid({ type: 'tenant', tenant: 'sund' }), 'sund');
  assert.equal(formatKid({ type: 'bank', tenant: 'sund', bankId: 1001 }), 'sund-B1001');
  assert.equal(formatKid({ type: 'location', tenant: 'sund', bankId: 1001, locationId: 12 }), 'sund-B1001-L12');
  assert.equal(
    formatKid({ type: 'unit', tenant: 'sund', bankId: 1001, locationId: 12, unitId: 7 }),
    'sund-B1001-L12-U7',
  );
  for (const [prefix, suffix] of [
    ['sund-B', ''],
    ['sund-B1001-L', ''],
    ['sund-B1001-L12-U', ''],
    ['sund-B', '-L12'],
    ['sund-B', '-L12-U7'],
    ['sund-B1001-L', '-U7'],
  ] as const) {
    accepts(
      (id) => `${prefix}${id}${suffix}`,
      ['1', '2147483647'],
      ['0', '2147483648', '4294967297', '9223372036854775808'],
    );
  }
});

test('[kid.09] residents have ids 1001..99999, the guest is R1000, the GDPR user R0, and there are no others', () => {
  assert.equal(formatKid({ type: 'user', tenant: 'sund', bankId: 1001, residentId: 1042 }), 'sund-B1001-R1042');
  assert.equal(formatKid({ type: 'user', tenant: 'sund', bankId: 1001, residentId: guestId }), 'sund-B1001-R1000');
  assert.equal(formatKid({ type: 'user', tenant: 'sund', bankId: 1001, residentId: gdprUserId }), 'sund-B1001-R0');
  for (let residentId = 0; residentId <= 101_000; residentId += 1) {
    const exists = residentId === 0 || (residentId >= 1000 && residentId <= 99_999);
    const expected = exists ? { type: 'user', tenant: 'sund', bankId: 1001, residentId } : undefined;
    assert.deepEqual(parseKid(`sund-B1001-R${residentId}`, 'sund', ['user']), expected);
  }
});

test('postings, booking events and documents have 64-bit ids, exact to the last digit', () => {
  for (const prefix of ['sund-B1001-X', 'sund-B1001-E', 'sund-B1001-L12-U7-D']) {
    accepts(
      (id) => `${prefix}${id}`,
      ['1', '9007199254740993', '9223372036854775807'],
      ['0', '9223372036854775808', '18446744073709551617', '9'.repeat(2000)],
    );
  }
});

test('[kid.11] human managers are sund-M1001, installers sund-I2001, services sund-B0-M3 with an id below 1000', () => {
  assert.equal(formatKid({ type: 'manager', tenant: 'sund', managerId: 1001 }), 'sund-M1001');
  assert.equal(formatKid({ type: 'installer', tenant: 'sund', installerId: 2001 }), 'sund-I2001');
  assert.equal(formatKid({ type: 'service', tenant: 'sund', serviceId: 3 }), 'sund-B0-M3');
  accepts((id) => `sund-M${id}`, ['1000', '2147483647'], ['0', '1', '3', '999', '2147483648']);
  accepts((id) => `sund-I${id}`, ['1', '2147483647'], ['0', '2147483648']);
  accepts((id) => `sund-B0-M${id}`, ['1', '999'], ['0', '1000', '1001', '2147483647']);
});

test('[kid.02] a service identity is of Manager type, of this tenant, bank zero and a concrete id', () => {
  assert.deepEqual(parseKid('sund-B0-M3', 'sund', ['service']), { type: 'service', tenant: 'sund', serviceId: 3 });
  const others = [
    'sund-M3',
    'sund-B0',
    'sund-B0-M',
    'sund-B0-M0',
    'sund-B1-M3',
    'sund-B1001-M3',
    'fjord-B0-M3',
    'sund-B0-I3',
  ];
  for (const other of others) assert.equal(parseKid(other, 'sund', allTypes), undefined, other);
  for (const other of ['sund-B0-R1042', 'sund-B0-X1', 'sund-B0-L12', 'sund-B0-L12-U7']) {
    assert.equal(parseKid(other, 'sund', allTypes), undefined, 'bank zero holds nothing but services');
  }
  assert.equal(parseKid('sund-M1001', 'sund', ['service']), undefined, 'a human manager is no service');
  assert.equal(parseKid('sund-B0-M3', 'sund', ['manager']), undefined, 'a service is no human manager');
});

test('every KID has the format of its type, and of no other', () => {
  const patterns = new Map(allTypes.map((type) => [type, new RegExp(kidFormatOf(type).pattern)]));
  const matchedTypes = (text: string) => allTypes.filter((type) => patterns.get(type)?.test(text));
  fc.assert(
    fc.property(arbitraryKids, (kid) => {
      const text = formatKid(kid);
      assert.deepEqual(matchedTypes(text), [kid.type]);
      assert.ok(text.length <= kidFormatOf(kid.type).maxLength);
    }),
  );
  for (const [text, kid] of examples) assert.deepEqual(matchedTypes(text), [kid.type]);
  const longest: Kid = { type: 'posting', tenant: 'a'.repeat(31), bankId: int32Max, postingId: int64Max };
  assert.equal(formatKid(longest).length, kidFormatOf('posting').maxLength);
});

test('a text of more than 2048 characters is malformed, whatever it says', () => {
  const longTenant = 't'.repeat(2045);
  assert.equal(parseKid(`${longTenant}-B1`, longTenant, ['bank'])?.bankId, 1, '2048 characters');
  assert.equal(parseKid(`${longTenant}-B12`, longTenant, ['bank']), undefined, '2049 characters');
});

test('hostile texts are refused in linear time', () => {
  const fragments = ['-', '0', '9', 'B', '-B1', '-B', 'sund', 'sund-', '-L1-U1', '\0', '\ud800', '😀'];
  const started = performance.now();
  for (const fragment of fragments) {
    for (const prefix of ['', 'sund', 'sund-B1001', 'sund-B']) {
      const inside = `${prefix}${fragment.repeat(2000)}`.slice(0, 2048);
      const outside = `${prefix}${fragment.repeat(1_000_000)}`;
      for (let round = 0; round < 100; round += 1) {
        assert.equal(parseKid(inside, 'sund', allTypes), undefined);
        assert.equal(parseKid(outside, 'sund', allTypes), undefined);
      }
    }
  }
  // 4800 texts of 2048 characters and as many of a megabyte: milliseconds, where anything quadratic takes minutes.
  assert.ok(performance.now() - started < 5000);
});

function accepts(spell: (id: string) => string, good: readonly string[], bad: readonly string[]): void {
  for (const id of good) {
    const kid = parseKid(spell(id), 'sund', allTypes);
    assert.ok(kid, spell(id));
    assert.equal(formatKid(kid), spell(id));
  }
  for (const id of bad) assert.equal(parseKid(spell(id), 'sund', allTypes), undefined, spell(id));
}

function kidsOf(tenant: string): fc.Arbitrary<Kid> {
  const small = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: int32Max }));
  const big = fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 1n, max: int64Max }));
  const residentIds = fc.oneof(fc.constantFrom(gdprUserId, guestId), fc.integer({ min: 1001, max: 99_999 }));
  const managerIds = fc.integer({ min: 1000, max: int32Max });
  const serviceIds = fc.integer({ min: 1, max: 999 });
  const id = fc.constant(tenant);
  return fc.oneof(
    fc.record({ type: fc.constant('tenant'), tenant: id }, { noNullPrototype: true }),
    fc.record({ type: fc.constant('bank'), tenant: id, bankId: small }, { noNullPrototype: true }),
    fc.record(
      { type: fc.constant('location'), tenant: id, bankId: small, locationId: small },
      { noNullPrototype: true },
    ),
    fc.record(
      { type: fc.constant('unit'), tenant: id, bankId: small, locationId: small, unitId: small },
      { noNullPrototype: true },
    ),
    fc.record(
      { type: fc.constant('user'), tenant: id, bankId: small, residentId: residentIds },
      { noNullPrototype: true },
    ),
    fc.record({ type: fc.constant('posting'), tenant: id, bankId: small, postingId: big }, { noNullPrototype: true }),
    fc.record({ type: fc.constant('event'), tenant: id, bankId: small, eventId: big }, { noNullPrototype: true }),
    fc.record(
      {
        type: fc.constant('document'),
        tenant: id,
        bankId: small,
        locationId: small,
        unitId: small,
        documentId: big,
      },
      { noNullPrototype: true },
    ),
    fc.record(
      { type: fc.constant('computer'), tenant: id, bankId: small, computerId: small },
      { noNullPrototype: true },
    ),
    fc.record(
      { type: fc.constant('heldLine'), tenant: id, bankId: small, heldLineId: small },
      { noNullPrototype: true },
    ),
    fc.record({ type: fc.constant('import'), tenant: id, importId: small }, { noNullPrototype: true }),
    fc.record({ type: fc.constant('manager'), tenant: id, managerId: managerIds }, { noNullPrototype: true }),
    fc.record({ type: fc.constant('installer'), tenant: id, installerId: small }, { noNullPrototype: true }),
    fc.record({ type: fc.constant('service'), tenant: id, serviceId: serviceIds }, { noNullPrototype: true }),
  );
}

/** Valid KIDs with one to three cuts, insertions, replacements or changes of case. */
function mutations(): fc.Arbitrary<string> {
  const edit = fc.record(
    {
      at: fc.nat(),
      cut: fc.nat({ max: 2 }),
      put: fc.option(lookalike, { nil: '' }),
      fold: fc.boolean(),
    },
    { noNullPrototype: true },
  );
  return fc.tuple(sundKids, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([kid, edits]) =>
    edits.reduce((text, { at, cut, put, fold }) => {
      const start = at % (text.length + 1);
      const tail = text.slice(start + cut);
      return text.slice(0, start) + put + (fold ? tail.toLowerCase() : tail);
    }, formatKid(kid)),
  );
}

function describes(type: KidType, text: string): boolean {
  const { spelling, bounds } = oracle[type];
  const found = spelling.exec(text);
  return found !== null && bounds.every(([min, max], index) => isWithin(BigInt(found[index + 1] ?? -1), min, max));
}

function isWithin(value: bigint, min: bigint, max: bigint): boolean {
  return value >= min && value <= max;
}

function isSameObject(one: Kid, other: Kid): boolean {
  const entries = (kid: Kid): string =>
    Object.entries(kid)
      .map(([key, value]) => `${key}=${value}`)
      .toSorted()
      .join();
  return entries(one) === entries(other);
}

function id32(): readonly [bigint, bigint] {
  return [1n, BigInt(int32Max)];
}

function id64(): readonly [bigint, bigint] {
  return [1n, int64Max];
}

function regExp(source: string): RegExp {
  return new RegExp(source);
}
