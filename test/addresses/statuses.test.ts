// The statuses of the five operations on addresses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { addressSuite, writeBodies, writeNames, writePaths } from './support/address-suite.ts';

addressSuite({}, ({ service, manager, newObject, get, issueToken }) => {
  test('[addresses.07] every write is 200, 400, 401, 403, 404, 409 or 503, and the read is all of them but 409', async () => {
    const narrow = await issueToken({ permissions: [] });
    for (const operation of ['read', ...writeNames] as const) {
      const [method, suffix] = operation === 'read' ? ['GET', ''] : writePaths[operation];
      const kid = await newObject('location', { address: 'Elm Lane 1', zip: '2100 Byen' });
      const { revision } = (await get(kid)).json;
      const send = (token: string | undefined, of = kid, expectedRevision: string = revision): Promise<HttpReply> =>
        service.call(method, `/api/v1/addresses/${of}${suffix}`, {
          token,
          ...(operation === 'read' ? {} : { body: { ...writeBodies[operation], expectedRevision } }),
        });
      const unavailable = await callWithoutStorage(service, () => send(manager.token));
      const expected: [status: number, code: string | undefined, reply: HttpReply][] = [
        [503, 'storage-unavailable', unavailable],
        [400, 'invalid-kid', await send(manager.token, 'sund')],
        [401, 'unauthenticated', await send(undefined)],
        [403, 'forbidden', await send(narrow)],
        [404, 'not-found', await send(manager.token, kid.replace('-L1', '-L9'))],
      ];
      if (operation !== 'read')
        expected.push([409, 'address-conflict', await send(manager.token, kid, revision.toLowerCase())]);
      expected.push([200, undefined, await send(manager.token)]);
      for (const [status, code, reply] of expected)
        assert.deepEqual([reply.status, reply.json.code], [status, code], operation);
    }
  });
});
