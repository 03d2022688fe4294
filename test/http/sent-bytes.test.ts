// The count of sent bytes equals what clients received, over HTTP/1.1, TLS and HTTP/2, while a connection is open and
// after its end.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { waitUntil } from '../support/async.ts';
import { serviceFixture, type ServiceSuite } from '../support/service-suite.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';

const host = 'api.sund.localhost';
const request = `GET /openapi/all-v1.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

const counted = ({ service }: Pick<ServiceSuite, 'service'>): number => service.dependencies.metrics.countSentBytes();

/** The counts for a large answer on a connection that stays open, and again after its end. */
async function assertCounted(suite: Pick<ServiceSuite, 'service'>, plain: Socket, from: number): Promise<void> {
  const isEqual = (): boolean => counted(suite) - from === plain.bytesRead;
  await waitUntil('what was sent has been received', () => plain.bytesRead > 100_000 && isEqual());
  const closed = once(plain, 'close');
  plain.destroy();
  await closed;
  const unread = counted(suite) - from - plain.bytesRead;
  // TLS sends a close message to a client that has disconnected.
  assert.ok(unread >= 0 && unread < 64, `${unread} bytes that were not received`);
}

describe('over HTTP', () => {
  const suite = serviceFixture('sqlite', { manager: false });
  before(() => suite.started);

  test('sent bytes are counted exactly, also in the metrics', async () => {
    const from = counted(suite);
    const plain = await open(suite.service.port);
    plain.resume().write(request);
    await assertCounted(suite, plain, from);
    const text = await suite.service.dependencies.metrics.text();
    assert.match(
      text,
      new RegExp(`^# TYPE http_server_sent_bytes_total counter\\nhttp_server_sent_bytes_total ${counted(suite)}$`, 'm'),
    );
  });
});

describe('over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-tls-'));
  after(() => rmSync(folder, { recursive: true }));
  const settings = { PORTAL_TLS_CERT: join(folder, 'cert.pem'), PORTAL_TLS_KEY: join(folder, 'key.pem') };
  before(() => {
    const { cert, key } = createSelfSignedCertificate(host);
    writeFileSync(settings.PORTAL_TLS_CERT, cert);
    writeFileSync(settings.PORTAL_TLS_KEY, key, { mode: 0o600 });
  });
  const suite = serviceFixture('sqlite', { settings, manager: false });
  before(() => suite.started);

  for (const protocol of ['http/1.1', 'h2'])
    test(`encryption and framing count as well: ${protocol}`, async () => {
      const from = counted(suite);
      const plain = await open(suite.service.port);
      const secure = connectTls({ socket: plain, ALPNProtocols: [protocol], rejectUnauthorized: false });
      secure.on('error', () => {});
      await once(secure, 'secureConnect');
      if (protocol === 'h2') {
        const session = connectHttp2(`https://${host}`, { createConnection: () => secure }).on('error', () => {});
        session
          .request({ ':path': '/openapi/all-v1.json', ':authority': host })
          .on('error', () => {})
          .resume();
      } else secure.resume().write(request);
      await assertCounted(suite, plain, from);
    });
});
