// The numbers of banks and residents in live logs are no selectors: no operation takes one where it takes a KID.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { exampleRequestTarget, readExample, type Example } from '../../src/http/openapi/examples.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { kidKeyword } from '../../src/http/schemas/schema-types.ts';
import { insertEnrolledComputer } from '../support/enrolled-computers.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { declareOperations } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';

const parts = ['path', 'query', 'body'] as const;
type Part = (typeof parts)[number];
type Member = { readonly part: Part; readonly name: string };

/** The members of a request that are KIDs by their schema, or are KIDs in the example. */
function listKidMembers({ params, query, body }: Operation, { request }: Example): Member[] {
  const schemas = { path: params, query, body } as Record<Part, { properties?: Record<string, object> } | undefined>;
  return parts.flatMap((part) => {
    const declared = Object.entries(schemas[part]?.properties ?? {}).flatMap(([name, schema]) =>
      kidKeyword in schema ? [name] : [],
    );
    const given = Object.entries((request[part] ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      /^sund-[A-Z]/.test(String(value)) ? [name] : [],
    );
    return [...new Set([...declared, ...given])].map((name) => ({ part, name }));
  });
}

function replaceMember({ request }: Example, { part, name }: Member, value: string | number): Example['request'] {
  return { ...request, [part]: { ...(request[part] as object | undefined), [name]: value } };
}

serviceSuite({}, ({ service, issueToken }) => {
  before(() =>
    service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1042);
    }),
  );

  test('[livelogs.12] no operation accepts the number of a bank or resident in place of a KID', async () => {
    const managerToken = await issueToken();
    const key = await service.write('sund', (db) => insertEnrolledComputer(db));
    const tried = new Map<string, number>();
    for (const operation of declareOperations(service.dependencies)) {
      const token = operation.access === 'computer' ? key : managerToken;
      const example = readExample(operation.id) ?? assert.fail(operation.id);
      for (const member of listKidMembers(operation, example))
        for (const value of ['1001', '1042', 'B1001', ...(member.part === 'body' ? [1001, 1042] : [])]) {
          const request = replaceMember(example, member, value);
          const { headers = {}, body } = request;
          const { status, json, text } = await service.call(
            operation.method,
            exampleRequestTarget(operation, { request }),
            operation.bodyFormat === 'octets'
              ? { token, headers: { ...headers, 'content-type': 'text/csv' }, rawBody: String(body) }
              : { token, headers, body },
          );
          const where = `${operation.id} ${member.part}.${member.name} ${value}: ${text}`;
          tried.set(member.part, (tried.get(member.part) ?? 0) + 1);
          // Every text that names no unit of the computer has the same answer.
          if (operation.id === 'AuthoriseUse' && typeof value === 'string') {
            assert.deepEqual([status, json.reason], [200, 'unknown-unit'], where);
            continue;
          }
          assert.equal(status, 400, where);
          assert.deepEqual(
            (json.errors as { path: string }[]).map(({ path }) => path),
            [`${member.part}.${member.name}`],
            where,
          );
        }
    }
    assert.deepEqual([...tried.keys()].toSorted(), [...parts].toSorted());
  });
});
