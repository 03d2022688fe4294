// Computes which problems an operation can answer with, for the OpenAPI documents, docs/operations.md and the tests that
// check every operation.

import type { TObject } from 'typebox';
import { problems, reasonsOfCode, type ProblemCode } from '../../lib/problem.ts';
import { notGrantedReason, type MissingRight } from '../../permissions/needs.ts';
import { kidKeyword } from '../schemas/schema-types.ts';
import type { MissingRightProblem, OperationAccess, Operation } from '../operations/operation.ts';
import {
  acceptsServiceKey,
  isManagerOperation,
  listAccessByValue,
  missingRightProblemFor,
  needsOf,
  replaceProblem,
  validationCode,
  validationCodeOfPart,
  validationCodesOfFields,
} from '../operations/operation-properties.ts';

const allProblemCodes = Object.keys(problems) as ProblemCode[];

type CodeAndStatus = ReturnType<typeof replaceProblem>;

/** The codes with their statuses in this operation, in the order of the catalogue. */
function listProblems(operation: Operation): CodeAndStatus[] {
  const { problemCodes: declared = [], replacedProblems } = operation;
  const codes = new Set<ProblemCode>([
    ...commonProblemCodes(operation),
    ...inputProblemCodes(operation),
    ...accessProblemCodes(operation),
    ...storageProblemCodes(operation),
    ...idempotencyProblemCodes(operation),
    ...validationCodesOfFields(operation),
    ...(isManagerOperation(operation) && operation.method !== 'GET' ? (['precondition-failed'] as const) : []),
    ...(operation.response.kind === 'storedFile' ? (['precondition-failed', 'range-not-satisfiable'] as const) : []),
    ...declared,
  ]);
  const found = [...codes].map((code) => replaceProblem(code, replacedProblems));
  return found.toSorted((a, b) => allProblemCodes.indexOf(a.code) - allProblemCodes.indexOf(b.code));
}

/** The codes by status, ascending. */
export function problemsByStatus(operation: Operation): [status: number, codes: ProblemCode[]][] {
  const byStatus = Map.groupBy(listProblems(operation), ({ status }) => status);
  const codesOf = (found: readonly CodeAndStatus[]): ProblemCode[] => [...new Set(found.map(({ code }) => code))];
  return [...byStatus]
    .map(([status, found]) => [status, codesOf(found)] as [number, ProblemCode[]])
    .toSorted(([a], [b]) => a - b);
}

/** The reasons that the operation can give with a code: those of its access, its own, and those of the catalogue. */
export function problemReasonsOf(operation: Operation, code: ProblemCode): readonly string[] {
  const { access, forbiddenReasons = [] } = operation;
  const reasons = listMissingRightProblems(access).flatMap((problem) =>
    problem.code === code && problem.reason !== undefined ? [problem.reason] : [],
  );
  const ofServices = acceptsServiceKey(operation) ? [notGrantedReason] : [];
  const own = code === 'forbidden' ? [...forbiddenReasons, ...ofServices] : [];
  return [...new Set([...reasons, ...own, ...reasonsOfCode(code)])];
}

// Every operation refuses unknown query parameters, even if it has none of its own. Any request can be a malformed
// message, have too large a header, or arrive too slowly.
const commonProblemCodes = (operation: Operation): ProblemCode[] => [
  'unknown-host',
  'invalid-request',
  validationCode(operation, 'query'),
  'request-timeout',
  'too-many-requests',
  'unread-answers',
  'header-too-large',
  'internal-error',
  'unsupported-transfer-coding',
];

function inputProblemCodes(operation: Operation): ProblemCode[] {
  const { method, params, query, body } = operation;
  const codes: ProblemCode[] = [];
  for (const [part, schema] of [
    ['path', params],
    ['query', query],
    ['body', body],
  ] as const) {
    const own = validationCodeOfPart(operation, part);
    if (own !== undefined) codes.push(own);
    else if (
      Object.values((schema as TObject | undefined)?.properties ?? {}).some((property) => kidKeyword in property)
    )
      codes.push('invalid-kid');
  }
  if (params !== undefined) codes.push('uri-too-long');
  // A body is read if the method allows one, even if the operation has none.
  if (method !== 'GET') codes.push('malformed-body', 'payload-too-large', 'unsupported-media-type');
  if (operation.bodyFormat === 'octets') codes.push('uploads-busy');
  return codes;
}

function accessProblemCodes(operation: Operation): ProblemCode[] {
  const { access } = operation;
  if (access === 'anyone') return [];
  if (access === 'computer') return ['unauthenticated'];
  const ofServices: ProblemCode[] = acceptsServiceKey(operation) ? ['forbidden', 'login-busy'] : [];
  return ['unauthenticated', ...listMissingRightProblems(access).map(({ code }) => code), ...ofServices];
}

/** The problems of each right that a manager may lack. */
const listMissingRightProblems = (access: Operation['access']): MissingRightProblem[] =>
  typeof access === 'string'
    ? []
    : listPossiblyMissingRights(access).map((missing) => missingRightProblemFor(access, missing));

function listPossiblyMissingRights(access: OperationAccess): MissingRight[] {
  return listAccessByValue(access).flatMap(([, each]) => {
    const { tabs, permissions, grantLevel } = needsOf(each);
    return [
      ...(tabs.length === 0 ? [] : [{ kind: 'tab' as const, tabs }]),
      ...permissions.map((permission) => ({ kind: 'permission' as const, permission })),
      ...(grantLevel === 'none' ? [] : [{ kind: 'scope' as const, grantLevel }]),
    ];
  });
}

function storageProblemCodes({ method, storageFree, response }: Operation): ProblemCode[] {
  if (storageFree === true) return [];
  const busy: ProblemCode[] = response.kind === 'download' ? ['storage-busy'] : [];
  const uncertain: ProblemCode[] = method === 'GET' ? [] : ['storage-outcome-unknown'];
  // Writes and downloads are recorded in the audit log.
  const recorded: ProblemCode[] = method === 'GET' && response.kind !== 'download' ? [] : ['clock-behind'];
  return ['storage-timeout', 'storage-text-comparison', 'storage-unavailable', ...busy, ...uncertain, ...recorded];
}

function idempotencyProblemCodes({ acceptsIdempotencyKey, takesSecret }: Operation): ProblemCode[] {
  // A request with a secret is hashed in the queue of logins.
  const ofSecrets: ProblemCode[] = takesSecret === undefined ? [] : ['login-busy'];
  return acceptsIdempotencyKey === true
    ? ['invalid-idempotency-key', 'idempotency-in-progress', 'idempotency-mismatch', ...ofSecrets]
    : [];
}
