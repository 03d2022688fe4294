// Icon KIDs: every spelling by hand, then properties over all of them, with an oracle that checks a spelling as a
// whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatIconKid, parseIconKid, type IconKid } from './icon-kid.ts';
import { codePoint } from '../../test/support/code-point.ts';

const known = new Set([
  'none',
  'house',
  'wifi_off',
  'trash',
  'n5',
  'c00ff00',
  'tv',
  'thermostat',
  'calendar',
  'a',
  'x2_y',
]);
const isKnown = (name: string): boolean => known.has(name);
const any = (): boolean => true;
const plain: IconKid = { icons: [], count: 0n, color: 0, text: '' };

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

const examples: readonly (readonly [spelling: string, icon: Partial<IconKid>])[] = [
  ['house', { icons: ['house'] }],
  ['house~wifi_off', { icons: ['house', 'wifi_off'] }],
  ['house~wifi_off~trash', { icons: ['house', 'wifi_off', 'trash'] }],
  ['house~house', { icons: ['house', 'house'] }],
  ['house~n5', { icons: ['house'], count: 5n }],
  ['house~n-5', { icons: ['house'], count: -5n }],
  ['house~n9223372036854775807', { icons: ['house'], count: int64Max }],
  ['house~n-9223372036854775808', { icons: ['house'], count: int64Min }],
  ['house~c00ff00', { icons: ['house'], color: 0x00ff00 }],
  ['house~c00000f', { icons: ['house'], color: 15 }],
  ['house~tMTI', { icons: ['house'], text: '12' }],
  ['house~tQWI', { icons: ['house'], text: 'Ab' }],
  ['house~twrDDpg', { icons: ['house'], text: '°æ' }],
  ['house~t8J-YgA', { icons: ['house'], text: '😀' }],
  ['house~t77u_', { icons: ['house'], text: '\ufeff' }],
  ['house~wifi_off~n12~cffffff~tMTI', { icons: ['house', 'wifi_off'], count: 12n, color: 0xffffff, text: '12' }],
  ['house~n1~tMTI', { icons: ['house'], count: 1n, text: '12' }],
  ['house~c000001~tMTI', { icons: ['house'], color: 1, text: '12' }],
  ['none', { icons: ['none'] }],
  ['none~n5', { icons: ['none'], count: 5n }],
  ['~n5', { count: 5n }],
  ['~c00ff00', { color: 0x00ff00 }],
  ['~tMTI', { text: '12' }],
  ['~n5~c00ff00~tMTI', { count: 5n, color: 0x00ff00, text: '12' }],
  // A main icon may be named like a part, as nothing but an icon can stand first.
  ['n5', { icons: ['n5'] }],
  ['c00ff00~c00ff00', { icons: ['c00ff00'], color: 0x00ff00 }],
  // These begin like a text, but are none in base64url.
  ['house~tv', { icons: ['house', 'tv'] }],
  ['house~trash', { icons: ['house', 'trash'] }],
  ['house~thermostat', { icons: ['house', 'thermostat'] }],
];

const names = fc.constantFrom('house', 'wifi_off', 'trash', 'tv', 'thermostat', 'none', 'a', 'x2_y', 'calendar');
const counts = fc.oneof(fc.constantFrom(0n, 1n, -1n, int64Min, int64Max), fc.bigInt({ min: int64Min, max: int64Max }));
const texts = fc
  .string({ unit: codePoint, maxLength: 128 })
  .filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed());
const icons: fc.Arbitrary<IconKid> = fc.record(
  {
    icons: fc.array(names, { maxLength: 4 }),
    count: counts,
    color: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffffff })),
    text: fc.oneof(fc.constant(''), texts),
  },
  { noNullPrototype: true },
);

test('every icon KID reads and spells as the examples do', () => {
  for (const [spelling, part] of examples) {
    const icon = { ...plain, ...part };
    assert.equal(formatIconKid(icon), spelling);
    assert.deepEqual(parseIconKid(spelling, isKnown), icon, spelling);
  }
});

test('an icon KID read back is what it was spelled from', () => {
  fc.assert(
    fc.property(icons, (icon) => {
      const spelling = formatIconKid(icon);
      assert.ok(spelling !== undefined);
      assert.equal(encodeURIComponent(spelling), spelling, 'it is one path segment as it stands');
      const expected = spelling === 'none' ? { ...plain, icons: ['none'] } : icon;
      assert.deepEqual(parseIconKid(spelling, isKnown), expected);
    }),
    { numRuns: 2000 },
  );
});

test('nothing at all is spelled none, which reads as the icon none', () => {
  assert.equal(formatIconKid(plain), 'none');
  assert.deepEqual(parseIconKid('none', isKnown), { ...plain, icons: ['none'] });
  assert.equal(parseIconKid('', any), undefined);
  assert.equal(parseIconKid('~', any), undefined);
});

test('there is one spelling: other case, padding, defaults, wrong order and unknown parts are refused', () => {
  const refused = [
    ['House', 'HOUSE', ' house', 'house ', 'house\n', 'hou se', 'hou-se', '5house', '_house', 'house.svg', 'häuser'],
    ['house~', '~house', '~', '~~', '~~n5', 'house~~n5', 'house~n5~', '~n5~', 'house~~wifi_off', '~n5~house'],
    // defaults
    ['house~n0', 'house~n-0', 'house~c000000', 'house~t', '~n0', '~c000000', '~t', 'house~n0~c00ff00', 'house~n5~t'],
    // numbers written otherwise, or out of bounds
    ['house~n05', 'house~n+5', 'house~n-05', 'house~n5.0', 'house~n', 'house~n-', 'house~N5', 'house~n１'],
    ['house~n 5'],
    ['house~n9223372036854775808', 'house~n-9223372036854775809', `house~n${'9'.repeat(2000)}`],
    ['house~c00FF00', 'house~c0f0', 'house~c0000ff00', 'house~cff00ff00', 'house~c00ff0g', 'house~c'],
    ['house~C00ff00'],
    // order and repetition
    ['house~c00ff00~n5', 'house~tMTI~n5', 'house~tMTI~c00ff00', 'house~n5~wifi_off', 'house~n5~n5'],
    ['house~c00ff00~c00ff00', 'house~tMTI~tMTI', 'house~n5~tMTI~wifi_off'],
    // base64url: padding, the other alphabet, stray bits, a length no encoding has, broken UTF-8
    ['house~tMTI=', 'house~tMQ==', 'house~t8J+YgA', 'house~tPz8/', 'house~tMTJ', 'house~tM', 'house~tMTIzN'],
    ['house~tMT I'],
    ['house~t_w', 'house~tgA', 'house~twIA', 'house~t7aCA', 'house~t9JCAgA', 'house~tMTI\n'],
    // control characters, in ASCII and beyond
    ['house~tAA', 'house~tCg', 'house~tfw', 'house~twoU', 'house~tYQoK'],
    // icons nobody knows, and objects
    ['unknown', 'house~unknown', 'house~wifi_off~unknown', 'constructor', 'house~__proto__', 'sund-B1001', 'sund'],
    ['1'],
  ].flat();
  for (const spelling of refused) assert.equal(parseIconKid(spelling, isKnown), undefined, JSON.stringify(spelling));
});

test('counts and colours are never taken for icons, even if icons of such names exist', () => {
  assert.equal(parseIconKid('house~n5', isKnown)?.count, 5n);
  assert.equal(parseIconKid('house~c00ff00', isKnown)?.color, 0x00ff00);
  for (const spelling of ['house~n0', 'house~n05', 'house~c000000', 'house~n99999999999999999999']) {
    assert.equal(parseIconKid(spelling, any), undefined, spelling);
  }
  for (const under of ['n5', 'n0', 'n05', 'c00ff00', 'c000000', 'tb2xk']) {
    assert.equal(formatIconKid({ ...plain, icons: ['house', under] }), undefined, under);
    assert.equal(formatIconKid({ ...plain, icons: [under] }), under);
  }
  assert.deepEqual(parseIconKid('house~tb2xk', any), { ...plain, icons: ['house'], text: 'old' });
});

test('every icon of the list has to be known, also those that are not drawn', () => {
  assert.ok(parseIconKid('house~wifi_off~trash~tv', isKnown));
  for (const spelling of ['x~wifi_off~trash~tv', 'house~x~trash~tv', 'house~wifi_off~x~tv', 'house~wifi_off~trash~x']) {
    assert.equal(parseIconKid(spelling, isKnown), undefined);
  }
});

test('of a colour number only the low 24 bits count', () => {
  const spell = (color: number): string | undefined => formatIconKid({ ...plain, icons: ['house'], color });
  assert.equal(spell(0xff00ff00), 'house~c00ff00');
  assert.equal(spell(-1), 'house~cffffff');
  assert.equal(spell(0x1000000), 'house');
  assert.equal(spell(0x7f000001), 'house~c000001');
  assert.equal(spell(2 ** 40 + 0x123456), 'house~c123456');
});

test('what cannot be spelled has no KID', () => {
  const unspeakable: Partial<IconKid>[] = [
    { count: int64Max + 1n },
    { count: int64Min - 1n },
    { text: 'a\nb' },
    { text: '\0' },
    { text: '\u007f' },
    { text: '\u0085' },
    { text: '\ud83d' },
    { text: '\ude00\ud83d' },
    ...['House', '', ' house', '5', '_a', 'a-b', 'a~b', 'æ', 'house\n', '~'].map((name) => ({ icons: [name] })),
    { icons: ['house', ''] },
  ];
  for (const part of unspeakable)
    assert.equal(formatIconKid({ ...plain, ...part }), undefined, JSON.stringify(part.icons));
});

test('[kid.21] the bound of 128 characters on icon text counts Unicode code points', () => {
  for (const character of ['a', 'æ', '€', '😀', '\u0301', '\u{10ffff}', '\u200d', '\ufeff']) {
    const longest = { ...plain, icons: ['house'], text: character.repeat(128) };
    const spelling = formatIconKid(longest);
    assert.ok(spelling !== undefined, `128 times U+${character.codePointAt(0)?.toString(16)}`);
    assert.deepEqual(parseIconKid(spelling, isKnown), longest);

    const tooLong = character.repeat(129);
    assert.equal(formatIconKid({ ...longest, text: tooLong }), undefined);
    assert.equal(parseIconKid(`house~t${Buffer.from(tooLong).toString('base64url')}`, isKnown), undefined);
  }
  // 127 code points above the basic plane and one in it: 255 UTF-16 units, more than twice what a count of units would
  // allow.
  assert.ok(formatIconKid({ ...plain, text: `${'😀'.repeat(127)}a` }) !== undefined);
  assert.equal(formatIconKid({ ...plain, text: `${'😀'.repeat(128)}a` }), undefined);
});

test('an icon KID has at most 2048 characters', () => {
  const longest = { ...plain, icons: Array.from({ length: 1024 }, () => 'a') };
  assert.equal(formatIconKid(longest)?.length, 2047);
  assert.equal(formatIconKid({ ...longest, icons: [...longest.icons.slice(1), 'aa'] })?.length, 2048);
  assert.equal(formatIconKid({ ...longest, icons: [...longest.icons.slice(1), 'aaa'] }), undefined);
  assert.deepEqual(parseIconKid(`a${'~a'.repeat(1023)}`, isKnown), longest);
  assert.ok(parseIconKid('a'.repeat(2048), any));
  assert.equal(parseIconKid('a'.repeat(2049), any), undefined);
  assert.equal(parseIconKid(`a${'~a'.repeat(1024)}`, isKnown), undefined);
});

test('whatever is accepted is spelled again as it was, and is described by one regular expression', () => {
  const count = '-?[1-9][0-9]*';
  const shape = new RegExp(
    `^(?:[a-z][a-z0-9_]*|(?=~[nct]))(?:~[a-z][a-z0-9_]*?)*?(?:~n${count})?(?:~c[0-9a-f]{6})?(?:~t[\\w-]+)?$`,
  );
  const fragment = fc.constantFrom(
    ...[
      ['~', '~n', '~c', '~t', 'n', 'c', 't', '0', '5', '-', 'ff00', '00ff00', 'MTI', 'b2xk', 'A', '=', '_', 'house'],
      ['none'],
      ['~wifi_off', '~trash', 'H', ' ', '\n', '\0', '\ud800', 'é', '１', '😀'],
    ].flat(),
  );
  const edit = fc.record({ at: fc.nat(), cut: fc.nat({ max: 3 }), put: fc.option(fragment, { nil: '' }) });
  const mutated = fc.tuple(icons, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([icon, edits]) =>
    edits.reduce(
      (text, { at, cut, put }) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + put + text.slice(start + cut);
      },
      formatIconKid(icon) ?? '',
    ),
  );
  const built = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(''));

  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(mutated, built, fc.string()), fc.constantFrom(isKnown, any), (text, isIcon) => {
      const icon = parseIconKid(text, isIcon);
      if (icon === undefined) return;
      accepted += 1;
      assert.equal(formatIconKid(icon), text);
      assert.match(text, shape);
    }),
    { numRuns: 5000 },
  );
  assert.ok(accepted > 100, 'mutations reach other icon KIDs');
});

test('hostile texts are refused in linear time', () => {
  const started = performance.now();
  for (const fragment of ['~', '~n5', '~n', '9', '~c00ff00', '~t', 'A', '~tMTI', 'a_', '~a', '\0', '\ud800']) {
    for (const prefix of ['', 'house', 'house~n', 'house~t']) {
      for (let round = 0; round < 20; round += 1) {
        parseIconKid(`${prefix}${fragment.repeat(2000)}`.slice(0, 2048), isKnown);
        assert.equal(parseIconKid(`${prefix}${fragment.repeat(100_000)}`, isKnown), undefined);
      }
    }
  }
  assert.equal(formatIconKid({ ...plain, text: '😀'.repeat(1_000_000) }), undefined);
  assert.ok(performance.now() - started < 5000);
});
