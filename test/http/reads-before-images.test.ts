// Checks that reads begin before images of the same turn of the event loop: no read waits until an image is drawn.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { Type } from 'typebox';
import { defineImageOperation, definePublicOperation, type Operation } from '../../src/http/operations/operation.ts';
import { jsonOf, representation } from '../../src/http/operations/response.ts';
import { closedObject } from '../../src/http/schemas/schema-types.ts';
import { startOperations, type TestInstance } from '../support/instances.ts';
import { serviceFixture } from '../support/service-suite.ts';

const host = 'api.sund.localhost';
const common = { method: 'GET', openApiDocuments: [], group: 'Test', summary: 'Test', deadlineMs: 60_000 } as const;
const begun: string[] = [];
const operations: Operation[] = [
  defineImageOperation({
    ...common,
    id: 'GetTestImage',
    path: '/api/v1/pictures/{name}',
    params: closedObject({ name: Type.String() }),
    response: representation(['image/svg+xml']),
    render: ({ name }) => {
      begun.push(name);
      return { body: '<svg/>', mediaType: 'image/svg+xml', etag: '"1"', maxAgeSeconds: 1 };
    },
  }),
  definePublicOperation({
    ...common,
    id: 'GetTestRead',
    path: '/api/v1/reads/{name}',
    params: closedObject({ name: Type.String() }),
    query: closedObject({}),
    response: jsonOf(closedObject({ text: Type.String() })),
    run: ({ params: { name } }) => {
      begun.push(name);
      return { text: name };
    },
  }),
];

const { service, started } = serviceFixture('sqlite', { manager: false });
let instance: TestInstance;
before(async () => {
  await started;
  instance = await startOperations(service, operations);
});
after(() => instance.stop());

async function openSockets(count: number): Promise<Socket[]> {
  const { port } = instance.app.server.address() as AddressInfo;
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  // Each has been accepted once it was answered.
  for (const socket of sockets) {
    socket.write(`GET /api/v1/reads/first HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'data');
  }
  begun.length = 0;
  return sockets;
}

test('reads that arrive together with images begin, and are answered, before any image', async () => {
  const requests = [
    ['image-1', 'pictures'],
    ['image-2', 'pictures'],
    ['read-1', 'reads'],
    ['image-3', 'pictures'],
    ['read-2', 'reads'],
  ] as const;
  const sockets = await openSockets(requests.length);
  const answered: string[] = [];
  const answers = sockets.map(async (socket, at) => {
    const [chunk] = await once(socket, 'data');
    assert.match(String(chunk), /^HTTP\/1\.1 200 /);
    answered.push(requests[at]?.[0] ?? '');
  });
  // In one turn, so that the service reads them in one.
  for (const [at, [name, folder]] of requests.entries())
    sockets[at]?.write(`GET /api/v1/${folder}/${name} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await Promise.all(answers);
  const expected = ['read-1', 'read-2', 'image-1', 'image-2', 'image-3'];
  assert.deepEqual(begun, expected);
  assert.deepEqual(answered, expected);
  for (const socket of sockets) socket.destroy();
});
