// The mail settings: which mail servers and senders are accepted, and that an error quotes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMailFrom, parseSmtpUrl } from './mail-settings.ts';

test('a mail server is smtp or smtps, with an optional port and optional credentials', () => {
  const none = { credentials: undefined };
  assert.equal(parseSmtpUrl(''), undefined);
  assert.deepEqual(parseSmtpUrl('smtp://mail.example.org'), {
    ...none,
    host: 'mail.example.org',
    port: 587,
    isImplicitTls: false,
    requiresTls: true,
  });
  assert.deepEqual(parseSmtpUrl('smtps://us%40er:p%3Aw%2F@mail.example.org:2465/'), {
    host: 'mail.example.org',
    port: 2465,
    isImplicitTls: true,
    requiresTls: true,
    credentials: { user: 'us@er', password: 'p:w/' },
  });
  assert.equal(parseSmtpUrl('smtps://mail.example.org')?.port, 465);
});

test('TLS is required of every server except one on this machine', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'LOCALHOST'])
    assert.equal(parseSmtpUrl(`smtp://${host}:25`)?.requiresTls, false, host);
  for (const host of ['128.0.0.1', '10.0.0.1', '127.example.org', 'localhost.example.org', '[::2]', 'mail'])
    assert.equal(parseSmtpUrl(`smtp://${host}:25`)?.requiresTls, true, host);
});

test('anything else is refused, and never quoted: it may contain a password', () => {
  for (const wrong of [
    'mail.example.org',
    'smtp:',
    'smtp://',
    'http://secret@mail.example.org',
    'smtp://secret@mail.example.org',
    'smtp://:secret@mail.example.org',
    'smtp://user:secret%GG@mail.example.org',
    'smtp://mail.example.org/secret',
    'smtp://mail.example.org?secret=1',
    'smtp://mail.example.org#secret',
    'smtp://mail.example.org:0',
    'smtp://mail.example.org:99999',
  ])
    assert.throws(
      () => parseSmtpUrl(wrong),
      (error: Error) => error.message.startsWith('expected ') && !error.message.includes('secret'),
      wrong,
    );
});

test('a sender is an address, or a name with an address', () => {
  assert.equal(parseMailFrom(''), undefined);
  const address = 'portal@example.org';
  assert.deepEqual(parseMailFrom(address), { name: '', address });
  assert.deepEqual(parseMailFrom(`Vaskeri, Åse <${address}>`), { name: 'Vaskeri, Åse', address });
  for (const wrong of [
    'x',
    '<x>',
    'a@b',
    `"P" <${address}>`,
    `a\nb <${address}>`,
    `${address}, ${address}`,
    `<${address}> x`,
  ])
    assert.throws(() => parseMailFrom(wrong), /^Error: expected an email address/, wrong);
});
