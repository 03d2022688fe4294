// Checks password hashes: their standard format, their equal cost, and their bounded number at a time.

import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { after, test } from 'node:test';
import { createHashCounter } from '../../../../test/support/password-hashing.ts';
import { Problem } from '../../../lib/problem.ts';
import { createPasswordHasher } from './password-hasher.ts';

const passwords = createPasswordHasher();
const hashings = createHashCounter();
after(() => hashings.stop());

test('a stored hash is a PHC string of Argon2id version 1.3 whose tag can be computed again', async () => {
  const password = 'Blåbærgrød 🫐 with cream';
  const phc = await passwords.hash(password);
  const [empty, name, version, settings = '', salt = '', tag = '', ...rest] = phc.split('$');
  assert.deepEqual([empty, name, version, rest], ['', 'argon2id', 'v=19', []]);
  const [memory, passes, parallelism] = (/^m=(\d+),t=(\d+),p=(\d+)$/.exec(settings) ?? []).slice(1).map(Number);
  assert.ok(memory !== undefined && passes !== undefined && parallelism !== undefined, settings);
  // OWASP's minimum for Argon2id: 19 MiB, two passes, one lane.
  assert.ok(memory >= 19 * 1024 && passes >= 2 && parallelism >= 1, settings);
  assert.ok(!`${salt}${tag}`.includes('='), 'PHC strings carry no padding');
  const nonce = Buffer.from(salt, 'base64');
  assert.ok(nonce.length >= 16);
  const tagLength = Buffer.from(tag, 'base64').length;
  assert.ok(tagLength >= 32);
  const again = argon2Sync('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength });
  assert.equal(again.toString('base64').replaceAll('=', ''), tag);
});

test('a hash made by the reference implementation is verified', async () => {
  // phc-winner-argon2, src/test.c: version 0x13, t = 2, m = 2^16, p = 1, "password", "somesalt".
  const tag = Buffer.from('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7', 'hex');
  const phc = `$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$${tag.toString('base64').replaceAll('=', '')}`;
  assert.equal(await passwords.verify('password', phc), true);
  assert.equal(await passwords.verify('Password', phc), false);
});

test('only the right password matches, to the last byte and at any length', async () => {
  const long = 'x'.repeat(1024);
  const phc = await passwords.hash(long);
  assert.equal(await passwords.verify(long, phc), true);
  for (const wrong of [long.slice(1), `${long}x`, `${long.slice(1)}y`, '', `${long}\0`]) {
    assert.equal(await passwords.verify(wrong, phc), false);
  }
});

test('two hashes of one password have nothing in common but their parameters', async () => {
  const [first, second] = await Promise.all([passwords.hash('the same words'), passwords.hash('the same words')]);
  assert.deepEqual(first.split('$').slice(0, 4), second.split('$').slice(0, 4));
  assert.notEqual(first.split('$')[4], second.split('$')[4]);
  assert.notEqual(first.split('$')[5], second.split('$')[5]);
});

test('without a stored hash no password matches, at the cost of one hash', async () => {
  const phc = await passwords.hash('some password');
  const known = () => passwords.verify('another password', phc);
  const unknown = () => passwords.verify('another password', undefined);
  assert.deepEqual([await hashings.countDuring(known), await hashings.countDuring(unknown)], [1, 1]);
  assert.equal(await unknown(), false);
  // Both compute the same number of hashes at the same cost. They alternate, so that a busy machine slows both alike.
  let [ofKnown, ofUnknown] = [0, 0];
  for (let turn = 0; turn < 12; turn += 1) {
    ofKnown += await cpuTime(known);
    ofUnknown += await cpuTime(unknown);
  }
  const ratio = ofUnknown / ofKnown;
  assert.ok(ratio > 0.5 && ratio < 2, `an unknown user costs ${ratio.toFixed(2)} times a known one`);
});

async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test('a stored text that is not an Argon2id hash is a defect, never a match', async () => {
  for (const stored of [
    '',
    'none',
    'plain',
    '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO0',
    '$2b$10$abcdefghijklmnopqrstuv',
  ]) {
    await assert.rejects(passwords.verify(stored, stored), /not an argon2id PHC string/);
  }
});

test('two hashes are computed at once, a hundred wait, and more are refused at no cost', async () => {
  const busy = createPasswordHasher(undefined, 120_000);
  let refused: unknown[] = [];
  const computed = await hashings.countDuring(async () => {
    const all = await Promise.allSettled(Array.from({ length: 110 }, () => busy.verify('x', undefined)));
    refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  });
  assert.equal(computed, 102);
  assert.equal(refused.length, 8);
  for (const error of refused) assert.ok(error instanceof Problem && error.code === 'login-busy');
  assert.equal(await busy.verify('x', undefined), false, 'and afterwards there is room again');
});

test('a check that waits for too long is refused, and costs nothing', async () => {
  const slow = createPasswordHasher(undefined, 1);
  const computed = await hashings.countDuring(async () => {
    const all = await Promise.allSettled(Array.from({ length: 3 }, () => slow.verify('x', undefined)));
    assert.deepEqual(
      all.map((each) => (each.status === 'rejected' ? (each.reason as Problem).code : each.value)),
      [false, false, 'login-busy'],
    );
  });
  assert.equal(computed, 2);
});

test('hashes of several callers take turns, so that a caller with many does not delay the others', async () => {
  const busy = createPasswordHasher({ memory: 4096, passes: 1, parallelism: 1, tagLength: 32 });
  const ended: string[] = [];
  const hash = async (key: string): Promise<void> => {
    await busy.hash('some password', { turn: { key: [key] } });
    ended.push(key);
  };
  await Promise.all([...Array.from({ length: 20 }, () => hash('many')), hash('one')]);
  // On a busy machine a few of the others can finish while it is computed.
  assert.ok(ended.indexOf('one') <= 10, ended.join());
});

test('secrets of requests take turns with logins and with those of other managers, however many one manager sends', async () => {
  const busy = createPasswordHasher({ memory: 4096, passes: 1, parallelism: 1, tagLength: 32 });
  const salt = Buffer.from('somesalt');
  const ended: string[] = [];
  const end = (name: string) => (): void => void ended.push(name);
  const hashSecret = (...key: string[]): Promise<Buffer> => busy.hashSecret('1234', salt, { key });
  await Promise.all([
    ...Array.from({ length: 30 }, () => hashSecret('sund', '1').then(end('many'))),
    hashSecret('sund', '2').then(end('another manager')),
    hashSecret('fjord', '1').then(end('another tenant')),
    busy.verify('x', undefined, { key: ['192.0.2.1'] }).then(end('a login')),
  ]);
  // On a busy machine a few of the others can finish while it is computed.
  for (const name of ['another manager', 'another tenant', 'a login'])
    assert.ok(ended.indexOf(name) <= 15, `${name}: ${ended.join()}`);
});

/** Each spelling with its NFC form: `Å` as one character and as two, the sign of Ångström, Hangul, a ligature. */
const spellings: readonly (readonly [sent: string, nfc: string])[] = [
  ['A\u030Angstro\u0308m unit', '\u00C5ngstr\u00F6m unit'],
  ['\u212Bngstr\u00F6m unit', '\u00C5ngstr\u00F6m unit'],
  ['\u1112\u1161\u11AB password', '\uD55C password'],
  ['e\u0323\u0302 is one letter', '\u1EC7 is one letter'],
];

/** The hash that an earlier version stored. */
function hashAsItIs(message: string): string {
  const nonce = Buffer.from('somesalt');
  const tag = argon2Sync('argon2id', { message, nonce, memory: 64, passes: 2, parallelism: 1, tagLength: 32 });
  return `$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$${tag.toString('base64').replaceAll('=', '')}`;
}

test('spellings with the same NFC form are the same password, and no others are', async () => {
  for (const [sent, nfc] of spellings) {
    for (const made of [sent, nfc]) {
      const phc = await passwords.hash(made);
      assert.equal(await passwords.verify(sent, phc), true);
      assert.equal(await passwords.verify(nfc, phc), true);
    }
  }
  // Similar, but not the same.
  assert.equal(await passwords.verify('\uFB01n password', await passwords.hash('fin password')), false);
  assert.equal(await passwords.verify('Angstrom unit', await passwords.hash('\u00C5ngstr\u00F6m unit')), false);
});

test('a hash of a password that was not normalized still matches that spelling', async () => {
  for (const [sent, nfc] of spellings) {
    const phc = hashAsItIs(sent);
    assert.equal(await passwords.verify(sent, phc), true);
    assert.equal(await passwords.verify(nfc, phc), false);
    assert.equal(await passwords.verify(`${sent}x`, phc), false);
  }
});

test('the cost depends on the spelling that was sent, never on the stored hash', async () => {
  for (const [sent, nfc] of spellings) {
    for (const phc of [await passwords.hash(nfc), await passwords.hash('other'), hashAsItIs(sent), undefined]) {
      assert.equal(await hashings.countDuring(() => passwords.verify(sent, phc)), 2);
      assert.equal(await hashings.countDuring(() => passwords.verify(nfc, phc)), 1);
    }
  }
});
