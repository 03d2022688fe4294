// The stream of an HTTP/2 body that does not arrive is closed after the time limit of a request.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';

test('an HTTP/2 request whose body arrives too slowly is closed in time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-tls-'));
  const { cert, key } = createSelfSignedCertificate('api.sund.localhost');
  const settings = { PORTAL_TLS_CERT: join(folder, 'cert.pem'), PORTAL_TLS_KEY: join(folder, 'key.pem') };
  writeFileSync(settings.PORTAL_TLS_CERT, cert);
  writeFileSync(settings.PORTAL_TLS_KEY, key, { mode: 0o600 });
  const service = await startService('sqlite', { settings });
  const session = connect(`https://127.0.0.1:${service.port}`, { rejectUnauthorized: false });
  session.on('error', () => {});
  const stream = session.request({
    ':method': 'POST',
    ':path': '/api/v1/session/login',
    ':authority': 'api.sund.localhost',
    'content-type': 'application/json',
  });
  stream.on('error', () => {});
  const from = performance.now();
  const drip = setInterval(() => stream.write(' '), 1000);
  try {
    await once(stream, 'close');
    const took = performance.now() - from;
    assert.ok(took > 29_000 && took < 40_000, `closed after ${took} ms`);
  } finally {
    clearInterval(drip);
    session.destroy();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});
