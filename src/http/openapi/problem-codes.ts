// Which refusals an operation can answer: computed here alone, for the OpenAPI documents, docs/operations.md and the
// tests that walk every door.

import { problems, type ProblemCode } from '../../lib/problem.ts';
import type { Missing } from '../../permissions/needs.ts';
import { kidKeyword } from '../fields.ts';
import { codeOfPart, invalidCode, needsOf, refusalFor, type Access, type Operation } from '../operation.ts';

const catalogue = Object.keys(problems) as ProblemCode[];

/** Every code that the operation can answer, in the order of the catalogue. */
export function problemCodesOf(operation: Operation): ProblemCode[] {
  const { problems: declared = [] } = operation;
  const codes = new Set<ProblemCode>([
    ...ofEveryRequest(operation),
    ...ofInputs(operation),
    ...ofAccess(operation),
    ...ofStorage(operation),
    ...ofIdempotency(operation),
    ...declared,
  ]);
  return catalogue.filter((code) => codes.has(code));
}

/** The codes by status, ascending. */
export function problemsByStatus(operation: Operation): [status: number, codes: ProblemCode[]][] {
  const byStatus = Map.groupBy(problemCodesOf(operation), (code) => problems[code].status as number);
  return [...byStatus].toSorted(([a], [b]) => a - b);
}

/** The reasons that a refusal of missing rights can carry. */
export function reasonsOf({ access }: Operation): string[] {
  if (access === 'anyone') return [];
  return [...new Set(possiblyMissing(access).flatMap((missing) => refusalFor(access, missing).reason ?? []))];
}

// A query parameter that an operation does not know is refused by each of them, whatever it takes.
const ofEveryRequest = (operation: Operation): ProblemCode[] => [
  'unknown-host',
  invalidCode(operation, 'query'),
  'too-many-requests',
  'internal-error',
];

function ofInputs(operation: Operation): ProblemCode[] {
  const { method, params, query } = operation;
  const codes: ProblemCode[] = [];
  for (const [part, schema] of [
    ['path', params],
    ['query', query],
  ] as const) {
    const own = codeOfPart(operation, part);
    if (own !== undefined) codes.push(own);
    else if (Object.values(schema?.properties ?? {}).some((property) => kidKeyword in property))
      codes.push('invalid-kid');
  }
  if (params !== undefined) codes.push('uri-too-long');
  // A body is read wherever the method allows one, if only to be refused.
  if (method !== 'GET') codes.push('malformed-body', 'payload-too-large', 'unsupported-media-type');
  return codes;
}

function ofAccess({ access }: Operation): ProblemCode[] {
  if (access === 'anyone') return [];
  return ['unauthenticated', ...possiblyMissing(access).map((missing) => refusalFor(access, missing).code)];
}

function possiblyMissing(access: Access): Missing[] {
  const { tabs, permissions, breadth } = needsOf(access);
  return [
    ...(tabs.length === 0 ? [] : [{ kind: 'tab' as const, tabs }]),
    ...permissions.map((permission) => ({ kind: 'permission' as const, permission })),
    ...(breadth === 'none' ? [] : [{ kind: 'scope' as const, breadth }]),
  ];
}

function ofStorage({ method, storageFree }: Operation): ProblemCode[] {
  if (storageFree === true) return [];
  const uncertain: ProblemCode[] = method === 'GET' ? [] : ['storage-outcome-unknown'];
  return ['storage-timeout', 'storage-text-comparison', 'storage-unavailable', ...uncertain];
}

function ofIdempotency({ idempotent }: Operation): ProblemCode[] {
  return idempotent === true ? ['invalid-idempotency-key', 'idempotency-in-progress', 'idempotency-mismatch'] : [];
}
