// The hash of a request is stored for a day, so that its bytes must not change from one version to the next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPasswordHasher } from '../../features/passwords/process/password-hasher.ts';
import { hashRequest } from './request-hash.ts';

const { hashSecret } = createPasswordHasher();
const request = {
  text: '["POST","/api/v1/profile/email-confirmation","",{"code":"ABCD"}]',
  salt: 'sund/1/key-1',
  turn: { key: ['sund', '1'] },
};

test('a request with a secret has an Argon2id hash, any other one a SHA-256, and both hashes equal those of earlier versions', async () => {
  const [slow, fast] = [
    await hashRequest({ ...request, hasSecret: true }, hashSecret),
    await hashRequest({ ...request, hasSecret: false }, () => assert.fail('there is no secret')),
  ];
  // Argon2id with 19 MiB, two passes and one lane; its nonce is the SHA-256 of the salt.
  assert.equal(slow, '9afcc3924c6d7ad6eaedc976adbfa0a5262e11ce7a73863d26b03ae7efbd6dd1');
  assert.equal(fast, '1c6d9faa576eae68c6fcdc39933f500d241b24fc8c5b5a652f46e62b6da03f86');
  const other = { ...request, salt: 'sund/2/key-1', hasSecret: true };
  assert.notEqual(await hashRequest(other, hashSecret), slow);
});

test('a secret waits in the queue under the key of its request', async () => {
  const turns: unknown[] = [];
  await hashRequest({ ...request, hasSecret: true }, async (_secret, _salt, turn) => {
    turns.push(turn);
    return Buffer.alloc(32);
  });
  assert.deepEqual(turns, [request.turn]);
});
