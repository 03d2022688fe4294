// Every operation with a body gets texts that parsers of JSON disagree about, and its example with one member replaced
// by something hostile: the answer is a success or a 4xx with a problem.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { exampleComputerKey } from '../../scripts/docs/example-computers.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { prepareAttackedTenant, type AttackedTenant } from './support/attacked-tenant.ts';
import { examplePartsOf, toRequest } from './support/identifier-requests.ts';
import { hostileValues, jsonCorpus } from './support/json-corpus.ts';

type Reply = { readonly status: number; readonly code: string | undefined; readonly text: string };

/** Of the members of a JSON value: where each is. */
function listMembers(value: unknown, place: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [[...place, name], ...listMembers(each, [...place, name])]);
}

/** The value as JSON, with this JSON in place of a member. */
function replaceMember(value: unknown, place: readonly (string | number)[], json: string): string {
  const marker = 'the replaced member';
  const copy = structuredClone(value);
  const holder = place.slice(0, -1).reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], copy);
  (holder as Record<string, unknown>)[place.at(-1) ?? ''] = marker;
  return JSON.stringify(copy).replace(`"${marker}"`, () => json);
}

serviceSuite({ demo: true, now: testNow, tenants: ['sund', 'fjord'], manager: false }, ({ service, engine }) => {
  let tenant: AttackedTenant;
  let withBody: readonly Operation[];
  before(async () => {
    tenant = await prepareAttackedTenant(service);
    withBody = createOperations(service.dependencies).operations.filter(({ body }) => body !== undefined);
  });

  async function post(operation: Operation, payload: string | Buffer): Promise<Reply> {
    const { method, url, headers } = toRequest(operation, examplePartsOf(operation));
    const token = operation.access === 'computer' ? exampleComputerKey : tenant.owner.token;
    const { status, text, json } = await service.call(method, url, { token, headers, rawBody: payload });
    return { status, code: status >= 400 ? json.code : undefined, text };
  }

  // Before anything is stored.
  if (engine === 'sqlite')
    test('[attack.06] a body that parsers disagree about is a 4xx with a problem, at every operation with a body', async () => {
      let sent = 0;
      for (const operation of withBody)
        for (const [name, text] of Object.entries(jsonCorpus)) {
          const { status, code, text: answer } = await post(operation, text);
          const label = `${operation.id} ${name}: ${status} ${answer}`;
          sent += 1;
          // A file to import is no JSON, and a line that is none is refused by itself.
          if (operation.bodyFormat !== undefined) assert.ok(status < 500, label);
          else {
            // An object without members is a body of some operations.
            const isEmptyObject = name === 'i_structure_utf8_bom_empty_object';
            assert.ok((status >= 400 || isEmptyObject) && status < 500, label);
            if (name.startsWith('n_') && status === 400 && text !== ' ') assert.equal(code, 'malformed-body', label);
          }
        }
      assert.ok(sent > 2000, `${sent}`);
      assert.equal(({} as { isAdministrator?: boolean }).isAdministrator, undefined);
    });

  test('[attack.07] a member of a body that is replaced by something hostile never makes a defect, at any operation', async () => {
    let sent = 0;
    for (const operation of withBody) {
      const { body } = examplePartsOf(operation);
      if (operation.bodyFormat !== undefined) continue;
      for (const place of listMembers(body))
        for (const [name, json] of Object.entries(hostileValues)) {
          const { status, text } = await post(operation, replaceMember(body, place, json));
          const label = `${operation.id} ${place.join('.')} is ${name}: ${status} ${text}`;
          sent += 1;
          assert.ok(status < 500, label);
          // A text by which something is only looked up is not found.
          if (name.includes('surrogate') && operation.id !== 'AuthoriseUse') assert.ok(status >= 400, label);
        }
    }
    assert.ok(sent > 1000, `${sent}`);
    assert.equal(({} as { isAdministrator?: boolean }).isAdministrator, undefined);
  });
});
