// A node of a Galera cluster whose certificate is wrong is not used, and the log says why.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createCertificateAuthority, type CertificateAuthority } from '../http/support/certificate.ts';
import { waitUntil } from '../support/async.ts';
import { getTenant } from '../support/demo-database.ts';
import { runPortal, startServeProcess, type ServeProcess } from '../support/portal-process.ts';
import { noGalera, startCluster, type GaleraCluster } from './support/galera-cluster.ts';
import { formatStorageUrl } from './support/galera-services.ts';

describe('TLS to the nodes of a Galera cluster', { skip: noGalera }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-galera-tls-'));
  let authority: CertificateAuthority;
  let cluster: GaleraCluster;
  let settings: Record<string, string>;
  before(async () => {
    authority = createCertificateAuthority('authority of the tests');
    const right = authority.issue(['127.0.0.1']);
    cluster = await startCluster({
      flushLogAtCommit: 1,
      certificates: [authority.issue(['db.example']), right, right],
    });
    writeFileSync(join(folder, 'ca.pem'), authority.cert);
    writeFileSync(join(folder, 'tenants.json'), JSON.stringify([getTenant('sund')]));
    const storageUrl = `${formatStorageUrl(cluster.nodes)}?ssl-mode=VERIFY_IDENTITY&ssl-ca=${join(folder, 'ca.pem')}`;
    settings = { PORTAL_STORAGE: storageUrl, PORTAL_TENANTS: join(folder, 'tenants.json') };
  });
  after(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  const nameOf = (at: number): string => `127.0.0.1:${cluster.nodes[at]?.location.nodes[0].port}`;
  const countConnections = async (at: number): Promise<number> => {
    const rows = await cluster.nodes[at]!.run(`select id from information_schema.processlist where db = 'g_sund'`);
    return rows.length;
  };
  const readiness = async ({ url }: ServeProcess) => {
    const answer = await fetch(new URL('/readyz', url));
    return { ...((await answer.json()) as { detail?: string }), status: answer.status };
  };
  const hasLogged = (child: ServeProcess, expected: Readonly<Record<string, unknown>>): boolean =>
    child
      .lines()
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .some((line) => Object.entries(expected).every(([name, value]) => line[name] === value));

  test('[storage.02] a node with a wrong certificate is not used, says why, and is used again with the right one', async (t) => {
    const { code, stderr } = await runPortal(['migrate'], settings);
    assert.equal(code, 0, stderr);
    const child = await startServeProcess(settings);
    t.after(() => child.kill());
    await waitUntil('it is ready', async () => (await readiness(child)).status === 200);
    assert.equal(await countConnections(0), 0);
    assert.ok((await countConnections(1)) > 0);
    const problem = 'the certificate of the server is for another name';
    assert.ok(hasLogged(child, { msg: 'the node cannot be used', node: nameOf(0), check: 'tls', problem }));

    await cluster.nodes[0]!.setCertificate(authority.issue(['127.0.0.1']));
    await waitUntil('the first node is used', async () => {
      await readiness(child);
      return (await countConnections(0)) > 0;
    });
    assert.ok(hasLogged(child, { msg: 'the node can be used again', node: nameOf(0) }));
    assert.ok(!hasLogged(child, { msg: 'the node cannot be used', node: nameOf(1) }));
  });

  test('[storage.02] while no node has a right certificate, readiness says so', async (t) => {
    for (const node of cluster.nodes) await node.setCertificate(authority.issue(['db.example']));
    const child = await startServeProcess(settings);
    t.after(() => child.kill());
    await waitUntil('it says so', async () => {
      const { status, detail } = await readiness(child);
      assert.equal(status, 503);
      return detail === 'tls';
    });
  });
});
