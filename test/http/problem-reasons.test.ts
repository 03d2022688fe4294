// The reason of a problem is one that its operation declares, and each reason that an operation declares for a missing
// right occurs. The suites of the operations cover the reasons of single codes.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { createOpenApiDocument } from '../../src/http/openapi/documents.ts';
import { problemReasonsOf } from '../../src/http/openapi/problem-codes.ts';
import type { ManagerOperation, Operation } from '../../src/http/operations/operation.ts';
import {
  acceptsServiceKey,
  isManagerOperation,
  isOfComputers,
  needsOf,
} from '../../src/http/operations/operation-properties.ts';
import { problems } from '../../src/lib/problem.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import {
  allRights,
  callOperation,
  insufficientGrants,
  listByValue,
  type ManagerRights,
} from '../support/operation-authorization.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { problemCodesOf } from '../support/problem-codes.ts';

/** Rights with one thing missing, each with the reason of the 403. */
function lackingRights(operation: ManagerOperation): [rights: ManagerRights, reason: string][] {
  const needs = needsOf(operation.access);
  // The reasons that the specification gives for reads of an account.
  const noGrant = /^(?:Get|Export)BankAccount/.test(operation.id) ? 'missing-bank-read' : 'too-narrow';
  const otherTabs = tabs.filter((tab) => !needs.tabs.includes(tab));
  return [
    ...(needs.tabs.length === 0 ? [] : [[{ ...allRights, tabs: otherTabs }, 'missing-tab'] as const]),
    ...needs.permissions.map((missing) => {
      const others = permissions.filter((each) => each !== missing);
      return [{ ...allRights, permissions: others }, `missing-${missing.replace('.', '-').toLowerCase()}`] as const;
    }),
    ...insufficientGrants(operation).map((grants) => [{ ...allRights, grants }, noGrant] as const),
  ].map(([rights, reason]) => [rights, reason]);
}

/** The groups and operations that have their own codes instead of `forbidden` with a reason. */
const ownCodes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Services: {
    'missing-tab': 'missing-services-tab',
    'missing-service-read': 'missing-services-read',
    'missing-service-write': 'missing-services-write',
    'too-narrow': 'missing-tenant-access',
  },
  Diagnostics: {
    'missing-tab': 'missing-logs-tab',
    'missing-managers-read': 'missing-managers-read',
    'too-narrow': 'missing-tenant-access',
  },
  'Tenant status': {
    'missing-tab': 'missing-status-tab',
    'missing-bank-read': 'missing-bank-read',
    'missing-location-read': 'missing-location-read',
    'missing-unit-read': 'missing-unit-read',
    'too-narrow': 'missing-resource-access',
  },
  GetHostingLogs: {
    'missing-tab': 'missing-logs-tab',
    'missing-managers-read': 'missing-managers-read',
    'too-narrow': 'missing-tenant-access',
  },
  GetHostingMetrics: {
    'missing-tab': 'missing-hosting-tab',
    'missing-managers-read': 'missing-managers-read',
    'too-narrow': 'missing-tenant-access',
  },
};

serviceSuite({ manager: false }, ({ service }) => {
  let operations: Operation[];
  before(async () => {
    ({ operations } = createOperations(service.dependencies));
    await service.write('sund', (db) => insertTestBank(db));
  });

  test('[general.29] every 403 has the reason for the missing right, and an operation declares exactly the reasons that it can answer', async () => {
    for (const operation of operations.filter(isManagerOperation)) {
      const met = new Set<string>();
      for (const each of listByValue(operation))
        for (const [rights, reason] of lackingRights(each)) {
          const { token } = await createToken(service, rights);
          const { status, json } = await callOperation(service, each, { token });
          const ownCode = (ownCodes[operation.id] ?? ownCodes[operation.group])?.[reason];
          const expected = ownCode === undefined ? [403, 'forbidden', reason] : [403, ownCode, undefined];
          assert.deepEqual([status, json.code, json.reason], expected, operation.id);
          if (ownCode === undefined) met.add(reason);
        }
      // The suite of the operation covers its own reasons.
      const ofServices = acceptsServiceKey(operation) ? ['operation-not-granted'] : [];
      const own = [...(operation.forbiddenReasons ?? []), ...ofServices];
      assert.deepEqual(met.union(new Set(own)), new Set(problemReasonsOf(operation, 'forbidden')), operation.id);
    }
  });

  type Response = { description: string };

  test('the documents list the reasons of each operation', () => {
    type Described = {
      paths: Record<string, Record<string, { responses: Record<string, { $ref: string }> }>>;
      components: { responses: Record<string, Response>; schemas: Record<string, { enum?: string[] }> };
    };
    const describe = (name: 'all' | 'equipment') =>
      createOpenApiDocument(name, operations, { version: '1.0.0' }) as Described;
    const [all, equipment] = [describe('all'), describe('equipment')];
    for (const operation of operations) {
      const document = isOfComputers(operation) ? equipment : all;
      const declared = problemReasonsOf(operation, 'forbidden');
      const { $ref } = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses['403'] ?? {};
      const codes = problemCodesOf(operation).filter((code) => problems[code].status === 403);
      assert.equal($ref !== undefined, codes.length > 0, operation.id);
      if ($ref === undefined || !codes.includes('forbidden')) continue;
      const response = document.components.responses[$ref.slice('#/components/responses/'.length)];
      const described = response?.description.match(/^- `forbidden`: .*? Reasons: (.*)\.$/m)?.[1] ?? '';
      assert.deepEqual(described.replaceAll('`', '').split(', '), declared, operation.id);
    }
    for (const name of ['BookingNotAllowedReason', 'NotReversibleReason', 'ReadOnlySettingReason'])
      assert.ok((all.components.schemas[name]?.enum?.length ?? 0) > 1, name);
  });
});
