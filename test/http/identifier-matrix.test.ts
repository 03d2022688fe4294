// Everybody who may learn nothing of a bank asks every operation for its objects, for objects that do not exist, and for
// texts that are no identifiers: what exists answers as what does not. Operations and identifiers are those declared.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { sundHost } from '../support/call.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import {
  canary,
  ownBankId,
  prepareAttackedTenant,
  type AttackedTenant,
  type Stranger,
} from './support/attacked-tenant.ts';
import {
  inBank,
  isWholeKid,
  listIdentifierPlaces,
  listPartsWithIdentifiers,
  missingTextsOf,
  namedBankId,
  replaceAt,
  textAt,
  toRequest,
  wrongTexts,
  type Parts,
  type Place,
} from './support/identifier-requests.ts';

/** What a client sees, without what differs in each answer and without the identifiers that it has sent. */
type Seen = { readonly status: number; readonly headers: string; readonly text: string };

/** Of every answer. */
const varyingHeaders = new Set(['date', 'x-request-id', 'traceparent', 'content-length', 'etag', 'last-modified']);
/** It ends the session of whoever calls it. */
const endsSession = (operation: Operation): boolean => operation.id === 'LogoutManager';

const kidsOfNamedBank = new RegExp(`sund-B${namedBankId}\\b`);

serviceSuite({ demo: true, now: testNow, tenants: ['sund', 'fjord'], manager: false }, ({ service, engine }) => {
  let tenant: AttackedTenant;
  let operations: readonly Operation[];
  let guarded: readonly Operation[];
  before(async () => {
    tenant = await prepareAttackedTenant(service);
    ({ operations } = createOperations(service.dependencies));
    guarded = operations.filter(({ access }) => access !== 'anyone');
  });

  async function send(operation: Operation, parts: Parts, { token, host = sundHost }: Stranger) {
    const { headers, ...request } = toRequest(operation, parts);
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return service.app.inject({ ...request, headers: { host, ...authorization, ...headers } });
  }

  /** Declares a test that does not depend on the engine. */
  const testOnce = (name: string, work: () => Promise<void>): void => {
    if (engine === 'sqlite') test(name, work);
  };

  /** Sends it, and hides the sent texts in the answer. */
  async function see(operation: Operation, parts: Parts, who: Stranger, hidden: readonly string[]): Promise<Seen> {
    const { statusCode: status, headers, body } = await send(operation, parts, who);
    assert.notEqual(status, 500, `${operation.id} by ${who.name}: ${JSON.stringify(parts)}`);
    const names = Object.keys(headers).filter((name) => !varyingHeaders.has(name));
    // Cursors are encrypted with a random number.
    const withoutTrace = body.replaceAll(/"(?:traceId|nextCursor|previousCursor)":"[^"]*"/g, '');
    return {
      status,
      headers: names.toSorted().join(),
      text: hidden.reduce((text, each) => text.replaceAll(JSON.stringify(each).slice(1, -1), '…'), withoutTrace),
    };
  }

  const countAuditEntries = async (): Promise<number> =>
    (await service.read('sund', (db) => db.selectFrom('audit_entries').select('sequence').execute())).length;

  const requestsOf = (operation: Operation): (readonly [Parts, Place])[] =>
    listPartsWithIdentifiers(operation).flatMap((parts) =>
      listIdentifierPlaces(parts).map((place) => [parts, place] as const),
    );

  test('[attack.01] the objects that the matrix asks for exist: the owner reads each of them, and no missing one', async () => {
    let found = 0;
    for (const operation of guarded) {
      if (operation.method !== 'GET' || operation.access === 'computer') continue;
      for (const parts of listPartsWithIdentifiers(operation)) {
        if (listIdentifierPlaces(parts).length === 0) continue;
        const { statusCode, body } = await send(operation, parts, tenant.owner);
        // Some queries that are allowed alone are refused with the rest of the example.
        assert.ok([200, 400].includes(statusCode), `${operation.id} ${JSON.stringify(parts)}: ${body}`);
        if (statusCode === 200) found += 1;
        const [place = []] = listIdentifierPlaces(parts);
        if (place[0] !== 'path') continue;
        for (const text of missingTextsOf(parts, place))
          assert.notEqual((await send(operation, replaceAt(parts, place, text), tenant.owner)).statusCode, 200, text);
      }
    }
    assert.ok(found > 40, `${found}`);
  });

  testOnce(
    '[attack.01] whoever is unknown gets the same refusal for what exists, what does not, and what is no identifier',
    async () => {
      for (const operation of guarded)
        for (const [parts, place] of requestsOf(operation).slice(0, 1))
          for (const who of tenant.nobodies) {
            const existing = await see(operation, parts, who, []);
            const expected = who.host?.includes('elsewhere') === true ? 400 : 401;
            assert.equal(existing.status, expected, `${operation.id} by ${who.name}`);
            for (const text of [...missingTextsOf(parts, place).slice(0, 1), ...wrongTexts.slice(0, 1)])
              assert.deepEqual(
                await see(operation, replaceAt(parts, place, text), who, []),
                existing,
                `${operation.id} by ${who.name}: ${text}`,
              );
          }
    },
  );

  /** The same request with what exists and with what does not: nobody without rights can tell them apart. */
  async function assertIndistinct(
    operation: Operation,
    parts: Parts,
    place: Place,
    who: Stranger,
    missing = missingTextsOf(parts, place),
  ): Promise<void> {
    const label = `${operation.id} by ${who.name}: ${place.join('.')} of ${JSON.stringify(parts)}`;
    const hidden = [textAt(parts, place), ...missing];
    const existing = await see(operation, parts, who, hidden);
    if (who !== tenant.neighbour)
      assert.ok(!existing.text.includes(canary), `${label}: ${existing.text.slice(0, 1000)}`);
    for (const text of missing)
      assert.deepEqual(await see(operation, replaceAt(parts, place, text), who, hidden), existing, `${label}: ${text}`);
  }

  test('[attack.02] whoever has no right in a bank cannot tell its objects from missing ones, at any operation', async () => {
    const entries = await countAuditEntries();
    let compared = 0;
    for (const operation of guarded)
      for (const [parts, place] of requestsOf(operation))
        for (const who of [...tenant.outsiders, ...tenant.powerless]) {
          await assertIndistinct(operation, parts, place, who);
          compared += 1;
          // The other objects that the request names are of the stranger's own bank.
          const own = inBank(parts, ownBankId);
          if (listIdentifierPlaces(parts).length > 1)
            await assertIndistinct(operation, replaceAt(own, place, textAt(parts, place)), place, who);
        }
    assert.ok(compared > 500, `${compared}`);
    assert.equal(await countAuditEntries(), entries, 'something was written');
  });

  test('[attack.02] whoever has a right in one location cannot tell the objects of another one from missing ones', async () => {
    let compared = 0;
    for (const operation of guarded)
      for (const [parts, place] of requestsOf(operation)) {
        const text = textAt(parts, place);
        if (!text.includes(`-B${namedBankId}-L1`)) continue;
        const missing = [text.replace('-L1', '-L4711'), ...missingTextsOf(parts, place).slice(0, 1)];
        await assertIndistinct(operation, parts, place, tenant.neighbour, missing);
        compared += 1;
      }
    assert.ok(compared > 20, `${compared}`);
  });

  test('[attack.03] what names no object holds nothing of a bank in which the caller has no right', async () => {
    for (const operation of guarded) {
      if (operation.method !== 'GET' || endsSession(operation)) continue;
      for (const parts of listPartsWithIdentifiers(operation)) {
        if (listIdentifierPlaces(parts).length > 0) continue;
        for (const who of tenant.outsiders) {
          const { statusCode, body } = await send(operation, parts, who);
          assert.notEqual(statusCode, 500, operation.id);
          assert.ok(!body.includes(canary), `${operation.id} by ${who.name}: ${body}`);
          assert.doesNotMatch(body, kidsOfNamedBank, `${operation.id} by ${who.name}`);
        }
      }
    }
  });

  testOnce('[attack.04] what is no identifier is 400 for those who have every right, and writes nothing', async () => {
    const entries = await countAuditEntries();
    for (const operation of guarded) {
      if (operation.access === 'computer') continue;
      for (const [parts, place] of requestsOf(operation)) {
        if (!isWholeKid(parts, place)) continue;
        for (const text of wrongTexts) {
          const { statusCode, body } = await send(operation, replaceAt(parts, place, text), tenant.owner);
          assert.ok(
            [400, 404, 414].includes(statusCode),
            `${operation.id} ${place.join('.')} ${text}: ${statusCode} ${body}`,
          );
        }
      }
    }
    assert.equal(await countAuditEntries(), entries, 'something was written');
  });

  testOnce('[attack.05] no text in the place of a parameter is a 500 at an operation for anyone', async () => {
    for (const operation of operations.filter(({ access }) => access === 'anyone')) {
      const [parts = { path: {}, query: {}, body: undefined }] = listPartsWithIdentifiers(operation);
      for (const part of ['path', 'query'] as const)
        for (const name of Object.keys(parts[part]))
          for (const text of wrongTexts) {
            const { statusCode, body } = await send(operation, replaceAt(parts, [part, name], text), {
              name: 'nobody',
            });
            assert.ok(statusCode < 500, `${operation.id} ${name}=${text}: ${body}`);
          }
    }
  });
});
