// Computes which problems an operation can answer with, for the OpenAPI documents, docs/operations.md and the tests that
// check every operation.

import { problems, type ProblemCode } from '../../lib/problem.ts';
import type { MissingRight } from '../../permissions/needs.ts';
import { kidKeyword } from '../schema-types.ts';
import type { OperationAccess, Operation } from '../operation.ts';
import { validationCodeOfPart, validationCode, needsOf, missingRightProblemFor } from '../operation-properties.ts';

const allProblemCodes = Object.keys(problems) as ProblemCode[];

/** Every code that the operation can answer with, in the order of the catalogue. */
export function problemCodesOf(operation: Operation): ProblemCode[] {
  const { problemCodes: declared = [] } = operation;
  const codes = new Set<ProblemCode>([
    ...commonProblemCodes(operation),
    ...inputProblemCodes(operation),
    ...accessProblemCodes(operation),
    ...storageProblemCodes(operation),
    ...idempotencyProblemCodes(operation),
    ...declared,
  ]);
  return allProblemCodes.filter((code) => codes.has(code));
}

/** The codes by status, ascending. */
export function problemsByStatus(operation: Operation): [status: number, codes: ProblemCode[]][] {
  const byStatus = Map.groupBy(problemCodesOf(operation), (code) => problems[code].status as number);
  return [...byStatus].toSorted(([a], [b]) => a - b);
}

/** The reasons that a problem of a missing right can have. */
export function missingRightReasonsOf({ access }: Operation): string[] {
  if (access === 'anyone') return [];
  return [
    ...new Set(
      listPossiblyMissingRights(access).flatMap((missing) => missingRightProblemFor(access, missing).reason ?? []),
    ),
  ];
}

// Every operation refuses unknown query parameters, also one without any of its own.
const commonProblemCodes = (operation: Operation): ProblemCode[] => [
  'unknown-host',
  validationCode(operation, 'query'),
  'too-many-requests',
  'internal-error',
];

function inputProblemCodes(operation: Operation): ProblemCode[] {
  const { method, params, query } = operation;
  const codes: ProblemCode[] = [];
  for (const [part, schema] of [
    ['path', params],
    ['query', query],
  ] as const) {
    const own = validationCodeOfPart(operation, part);
    if (own !== undefined) codes.push(own);
    else if (Object.values(schema?.properties ?? {}).some((property) => kidKeyword in property))
      codes.push('invalid-kid');
  }
  if (params !== undefined) codes.push('uri-too-long');
  // A body is read wherever the method allows one, even if the operation has none.
  if (method !== 'GET') codes.push('malformed-body', 'payload-too-large', 'unsupported-media-type');
  return codes;
}

function accessProblemCodes({ access }: Operation): ProblemCode[] {
  if (access === 'anyone') return [];
  return [
    'unauthenticated',
    ...listPossiblyMissingRights(access).map((missing) => missingRightProblemFor(access, missing).code),
  ];
}

function listPossiblyMissingRights(access: OperationAccess): MissingRight[] {
  const { tabs, permissions, grantLevel } = needsOf(access);
  return [
    ...(tabs.length === 0 ? [] : [{ kind: 'tab' as const, tabs }]),
    ...permissions.map((permission) => ({ kind: 'permission' as const, permission })),
    ...(grantLevel === 'none' ? [] : [{ kind: 'scope' as const, grantLevel }]),
  ];
}

function storageProblemCodes({ method, storageFree }: Operation): ProblemCode[] {
  if (storageFree === true) return [];
  const uncertain: ProblemCode[] = method === 'GET' ? [] : ['storage-outcome-unknown'];
  return ['storage-timeout', 'storage-text-comparison', 'storage-unavailable', ...uncertain];
}

function idempotencyProblemCodes({ acceptsIdempotencyKey }: Operation): ProblemCode[] {
  return acceptsIdempotencyKey === true
    ? ['invalid-idempotency-key', 'idempotency-in-progress', 'idempotency-mismatch']
    : [];
}
