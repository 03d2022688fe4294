// Checks which new passwords are accepted.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommonPasswords } from '../assets/common-passwords.ts';
import { findPasswordFault } from './new-password.ts';
import { countPasswordLength, foldPassword } from './password.ts';

const commonPasswords = await createCommonPasswords().list();
const context = {
  commonPasswords,
  ownWords: ['Anna.Lund', 'anna.lund@example.org', 'sund', 'Sund'],
  demo: false,
};
const faultOf = (password: string, more: Partial<typeof context> = {}) =>
  findPasswordFault(password, { ...context, ...more })?.reason;

test('[managers.22] the packaged list has at least 10,000 passwords of 8 characters and more, each folded', () => {
  assert.ok(commonPasswords.size >= 10_000, `${commonPasswords.size}`);
  for (const common of commonPasswords) {
    assert.ok(countPasswordLength(common) >= 8, common);
    assert.equal(foldPassword(common), common);
  }
  for (const known of ['password', '12345678', 'qwertyuiop', 'iloveyou', 'football1'])
    assert.ok(commonPasswords.has(known));
});

test('a passphrase, a random password and one in any script can be chosen', () => {
  for (const password of [
    'violet teapots sing',
    'kJ8#qv2!',
    'блины со сметаной',
    '旅人は夜に歩く。',
    '🫖🍰🫖🍰🫖🍰🫖🍰',
    ' spaces count ',
    'sundown over the portal',
    '83920175639',
  ])
    assert.equal(faultOf(password), undefined, password);
});

test('[managers.22] the length counts code points in NFC: 8 to 128', () => {
  for (const [password, isRight] of [
    ['kJ8#qv2', false],
    ['🫖'.repeat(7), false],
    ['a\u030A'.repeat(7), false],
    ['x y z '.repeat(21) + '12', true],
    ['x y z '.repeat(21) + '123', false],
    ['🫖'.repeat(128), true],
    ['🫖'.repeat(129), false],
  ] as const)
    assert.equal(faultOf(password) === undefined, isRight, password);
});

test('[managers.22] a common password is refused in every case', () => {
  for (const password of ['password', 'PassWord', 'QWERTYUIOP', 'iLoveYou', 'trustno1'.toUpperCase()])
    assert.match(faultOf(password) ?? '', /a common password/, password);
});

test('the user name, the email address and words of the service are refused, also with digits and signs', () => {
  for (const password of [
    'anna.lund',
    'Anna.Lund2026',
    'anna.lund@example.org',
    'ANNALUND!!',
    '2026 lund anna',
    'Sund-Portal-1',
    'manager#2026',
    'laundry service',
    'PortalPortalPortal',
  ])
    assert.match(faultOf(password) ?? '', /user name|a common password/, password);
  assert.equal(faultOf('anna.lund and her teapot'), undefined);
});

test('the demo password can be chosen only with demo data', () => {
  assert.match(faultOf('demo-Password-1') ?? '', /demo password/);
  assert.equal(faultOf('demo-Password-1', { demo: true }), undefined);
  assert.notEqual(faultOf('demo-password-1', { demo: true }), undefined);
});

test('passwords that differ only in case or composition are refused or accepted alike, and no check takes long', () => {
  const words = fc.constantFrom('a', 'aa', 'aaa', 'anna', 'sund', 'portal', 'x', '1', 'Å', 'A\u030A');
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
      const password = parts.join('');
      const ownWords = ['aa', 'aaa', 'aaaa', 'a a'];
      const verdict = faultOf(password, { ownWords }) === undefined;
      assert.equal(faultOf(password.toUpperCase(), { ownWords }) === undefined, verdict);
      assert.equal(faultOf(password.normalize('NFD'), { ownWords }) === undefined, verdict);
    }),
  );
});
