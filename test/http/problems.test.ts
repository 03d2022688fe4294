// Errors have one shape, a stable code and a text for the client, and reveal no internals.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createOperations } from '../../src/app.ts';
import { validationCodeOfPart, validationCode } from '../../src/http/operations/operation-properties.ts';
import { problems } from '../../src/lib/problem.ts';
import { permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank, createToken } from '../support/factories.ts';
import { startService, type TestService } from '../support/service.ts';
import { createSample } from './support/operation-samples.ts';
import { serviceSuite } from '../support/service-suite.ts';

const me = '/api/v1/session/me';
const account = '/api/v1/banks/sund-B1001/account';
const login = '/api/v1/session/login';

/** What no error may contain: a frame of a stack, a path of this machine, keywords of SQL, names of tables or of packages. */
const inside =
  /\bat .+:\d+:\d+|\.(?:ts|js|mjs|sqlite)\b|node_modules|node:|\/(?:work|tmp|home|usr|var|src)\/|\\\\|\b(?:select|insert|update|delete|from|where)\b.*\b(?:from|into|set|where|=)\b|sqlite|mysql|mariadb|kysely|fastify|errno|no such table|doesn't exist|Error:/i;

function assertProblem({ status, headers, json, text }: HttpReply): void {
  assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8');
  const { type, title, status: bodyStatus, code, detail, traceId, ...others } = json;
  assert.ok(Object.hasOwn(problems, code), code);
  assert.equal(type, `urn:problem-type:${code}`);
  assert.equal(title, problems[code as keyof typeof problems].title);
  assert.deepEqual([bodyStatus, problems[code as keyof typeof problems].status], [status, status]);
  assert.ok(typeof detail === 'string' && detail.length > 0, text);
  assert.match(traceId, /^[0-9a-f]{32}$/);
  assert.deepEqual(
    Object.keys(others).filter((name) => name !== 'reason' && name !== 'errors'),
    [],
  );
  assert.doesNotMatch(text, inside);
}

serviceSuite({}, ({ engine, service, manager }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db));
  });

  const without = async (options: Parameters<typeof createToken>[1]): Promise<{ token: string }> =>
    createToken(service, options);
  const lacking = (...missing: Permission[]): Permission[] => permissions.filter((each) => !missing.includes(each));

  test('[general.28, general.34, general.36] every refusal is a problem with a code of the catalogue, and reveals no internals', async () => {
    const odd = `'"\`;drop table banks;--\${7*7}<script>../../etc/passwd`;
    const requests: [method: string, path: string, options?: Parameters<TestService['call']>[2]][] = [
      ['GET', me, { host: 'localhost' }],
      ['GET', me, {}],
      ['GET', me, { token: 'x'.repeat(43) }],
      ['GET', '/nope', {}],
      ['GET', `/${encodeURIComponent(odd)}`, {}],
      ['GET', '/%ff', {}],
      ['PUT', me, { token: manager.token, body: {} }],
      ['GET', `${me}?${encodeURIComponent(odd)}=1`, manager],
      ['GET', `${account}?TimeZone=${encodeURIComponent(odd)}`, manager],
      ['GET', `${account}?UserKid=${encodeURIComponent(odd)}`, manager],
      ['GET', `/api/v1/banks/${encodeURIComponent(odd)}/account`, manager],
      ['GET', `/api/v1/banks/${'x'.repeat(7000)}/account`, manager],
      ['GET', account, await without({ tabs: [] })],
      ['GET', account, await without({ permissions: [] })],
      ['GET', account, await without({ grants: [] })],
      ['POST', login, { body: { userName: odd, password: odd } }],
      ['POST', login, { body: { [odd]: odd } }],
      ['POST', login, { rawBody: '{"userName":"\\' }],
      ['POST', login, { rawBody: 'x'.repeat(10_000) }],
      ['POST', login, { rawBody: odd, headers: { 'content-type': 'text/plain' } }],
    ];
    const codes = new Set<string>();
    for (const [method, path, options] of requests) {
      const reply = await service.call(method, path, options);
      assert.ok(reply.status >= 400 && reply.status < 500, `${method} ${path} is ${reply.status}`);
      assertProblem(reply);
      codes.add(reply.json.code);
    }
    assert.equal(codes.size, 12, [...codes].join());
  });

  test('[general.32] any operation answers 400 for an unknown host, invalid input or an invalid KID', async () => {
    for (const operation of createOperations(service.dependencies).operations) {
      // Suites of their own call these with a key, or send files.
      if (operation.access === 'computer' || operation.bodyFormat === 'octets') continue;
      const { method, path, body } = createSample(operation);
      const codeOf = async (at: string, options: object): Promise<unknown[]> => {
        const { status, json } = await service.call(method, at, { token: manager.token, body, ...options });
        return [status, json.code];
      };
      assert.deepEqual(await codeOf(path, { host: 'api.oslo.localhost' }), [400, 'unknown-host'], operation.id);
      const invalid = validationCode(operation, 'query');
      assert.deepEqual(await codeOf(`${path}?nothing=1`, {}), [400, invalid], operation.id);
      const foreign = path.replaceAll('sund-', 'fjord-');
      const badKid = validationCodeOfPart(operation, 'path') ?? 'invalid-kid';
      if (foreign !== path) assert.deepEqual(await codeOf(foreign, {}), [400, badKid], operation.id);
    }
  });

  test('[general.29] the 403 of account reads has the specification’s own reasons if a right to read is missing', async () => {
    const reasons: [missing: Permission, reason: string][] = [
      ['Bank.Read', 'missing-bank-read'],
      ['Location.Read', 'missing-location-read'],
      ['Unit.Read', 'missing-unit-read'],
      ['User.Read', 'missing-user-read'],
    ];
    for (const [missing, reason] of reasons)
      for (const path of [account, `${account}/revision`]) {
        const { status, json } = await service.call('GET', path, await without({ permissions: lacking(missing) }));
        assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', reason]);
      }
    const tabless = await service.call(
      'GET',
      account,
      await without({ tabs: tabs.filter((tab) => tab !== 'Account2') }),
    );
    assert.deepEqual([tabless.status, tabless.json.reason], [403, 'missing-tab']);
    for (const reply of [
      await service.call('GET', '/nope'),
      await service.call('GET', me),
      await service.call('GET', `${account}?x`, manager),
    ])
      assert.equal('reason' in reply.json, false);
  });

  test('[general.31] a 401 names what is missing in a problem, or has no body', async () => {
    const expired = await createToken(service, { livesMs: -1 });
    const beta = await createToken(service, { environment: 'beta' });
    for (const options of [{}, { token: 'unknown' }, expired, beta])
      for (const path of [me, account]) {
        const reply = await service.call('GET', path, options);
        assert.equal(reply.status, 401);
        assert.match(reply.headers['www-authenticate'] ?? '', /^Bearer /);
        if (reply.text !== '') assertProblem(reply);
      }
  });

  test('[general.36] a defect is a 500 that reveals only the id of the request', async () => {
    const broken = await startService(engine);
    try {
      const { token: owner } = await createToken(broken);
      await broken.write('sund', (db) => insertTestBank(db));
      assert.equal((await broken.call('GET', account, { token: owner })).status, 200);
      for (const table of ['postings', 'posting_rollups'])
        await broken.write('sund', (db) => sql`drop table ${sql.table(table)}`.execute(db));
      const reply = await broken.call('GET', account, {
        token: owner,
        headers: { 'x-request-id': 'defect-1' },
      });
      assertProblem(reply);
      assert.deepEqual(
        [reply.status, reply.json.code, reply.headers['x-request-id']],
        [500, 'internal-error', 'defect-1'],
      );
      assert.equal(reply.json.detail, reply.json.title);
      // The service keeps running.
      assert.equal((await broken.call('GET', me, { token: owner })).status, 200);
    } finally {
      await broken.stop();
    }
  });
});
