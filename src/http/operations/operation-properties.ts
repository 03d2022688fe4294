// Derives properties of an operation from its declaration: its needs, its problem codes, its status.

import { isEquipmentPath } from '../../lib/equipment-path.ts';
import { problems, type PlainProblemCode, type ProblemCode } from '../../lib/problem.ts';
import type { Permission } from '../../permissions/matrix.ts';
import { missingRightReason, type MissingRight, type Needs } from '../../permissions/needs.ts';
import type {
  ImageOperation,
  ManagerOperation,
  MissingRightProblem,
  Operation,
  OperationAccess,
  ReplacedProblems,
  RequestField,
  RequestPart,
} from './operation.ts';

export const defaultMaxBodyBytes = 65_536;

/** The media types of octets. Browsers on Windows send CSV files as those of Excel. */
export const octetsMediaTypes: readonly string[] = [
  'application/octet-stream',
  'text/csv',
  'text/plain',
  'application/jsonl',
  'application/x-ndjson',
  'application/vnd.ms-excel',
];

/** Whether an operation returns images. */
export const isImageOperation = (operation: Operation): operation is ImageOperation => 'render' in operation;

/** Whether only computers call an operation. */
export const isOfComputers = ({ openApiDocuments }: Pick<Operation, 'openApiDocuments'>): boolean =>
  openApiDocuments.includes('equipment');

/** Whether an operation needs the token of a manager. */
export const isManagerOperation = (operation: Operation): operation is ManagerOperation =>
  typeof operation.access === 'object';

/** Whether successes are so frequent that a single one is not worth an event. */
export const isRoutine = (operation: Operation): boolean => isImageOperation(operation) || operation.isPolled === true;

/** Whether an operation is a part of the Equipment API, which a process of its own can serve. */
export const isOfEquipmentApi = ({ path }: Operation): boolean => isEquipmentPath(path);

const ownSessionPath = '/api/v1/session/';

const isRead = (permission: Permission): boolean => permission.endsWith('.Read');

/** Whether a service can be granted the operation: reads, except those of secrets and of what belongs to a person. */
export const acceptsServiceKey = ({ access, method, path, holdsSecret, managersOnly }: Operation): boolean =>
  typeof access === 'object' &&
  method === 'GET' &&
  listAccessByValue(access).every(([, each]) => needsOf(each).permissions.every(isRead)) &&
  holdsSecret !== true &&
  managersOnly !== true &&
  !path.startsWith(ownSessionPath);

/** An operation's needs with every default filled in. */
export function needsOf({ tabs = [], permissions = [], grantLevel = 'none' }: OperationAccess): Needs {
  return { tabs, permissions, grantLevel };
}

/** The needs by type of KID, or by word; empty if nothing depends on the path. */
export function needsByValue({ byParameter }: OperationAccess): Readonly<Record<string, Needs>> {
  if (byParameter === undefined) return {};
  return 'byWord' in byParameter ? byParameter.byWord : byParameter.byKidType;
}

/** The access for a type of KID or for a word. */
export function accessForValue(access: OperationAccess, value: string): OperationAccess {
  const { byParameter: _byParameter, ...common } = access;
  return { ...common, ...needsByValue(access)[value] };
}

/** The access for each type of KID or word that the needs depend on; an entry without a value is for all others. */
export function listAccessByValue(access: OperationAccess): (readonly [string | undefined, OperationAccess])[] {
  const ofValues = Object.keys(needsByValue(access)).map((value) => [value, accessForValue(access, value)] as const);
  const { byParameter } = access;
  const hasOthers = byParameter === undefined || ('byWord' in byParameter && byParameter.isExhaustive !== true);
  return hasOthers ? [[undefined, access], ...ofValues] : ofValues;
}

/** The problem for a missing right: the group's own, or `forbidden` with its reason. */
export function missingRightProblemFor(access: OperationAccess, missing: MissingRight): MissingRightProblem {
  return access.missingRightProblem?.(missing) ?? { code: 'forbidden', reason: missingRightReason(missing) };
}

/** The code of a failed validation of a part; undefined where the part has no code of its own. */
export function validationCodeOfPart(
  { validationProblem }: Pick<Operation, 'validationProblem'>,
  part: RequestPart,
): PlainProblemCode | undefined {
  return typeof validationProblem === 'object' ? validationProblem[part] : undefined;
}

/** Returns the code for a field of a part, such as `query.filter`, or a value inside it. */
export function validationCodeOfField(
  { validationProblem }: Pick<Operation, 'validationProblem'>,
  path: string,
): PlainProblemCode | undefined {
  const field = path.split('.', 2).join('.') as RequestField;
  return typeof validationProblem === 'object' ? validationProblem[field] : undefined;
}

/** The codes of fields. */
export const validationCodesOfFields = ({
  validationProblem,
}: Pick<Operation, 'validationProblem'>): PlainProblemCode[] =>
  typeof validationProblem === 'object'
    ? Object.entries(validationProblem).flatMap(([field, code]) =>
        code !== undefined && field.includes('.') ? [code] : [],
      )
    : [];

/** The code and status with which a group answers a problem of this code. */
export function replaceProblem(
  code: ProblemCode,
  replaced: ReplacedProblems = {},
): { readonly code: ProblemCode; readonly status: number } {
  const { [code as keyof ReplacedProblems]: own = code } = replaced;
  return { code: own, status: problems[code].status };
}

/** The code of a failed validation that is not about a KID. */
export function validationCode(operation: Pick<Operation, 'validationProblem'>, part: RequestPart): PlainProblemCode {
  const { validationProblem } = operation;
  return (typeof validationProblem === 'object' ? validationProblem[part] : validationProblem) ?? 'invalid-request';
}

/**
 * Whether a success has an ETag, so that If-None-Match can spare the body: images and stored files, and what managers read
 * unless it is sent while it is made.
 */
export function isConditional({ access, method, response: { kind } }: Operation): boolean {
  if (kind === 'representation' || kind === 'storedFile') return true;
  return typeof access === 'object' && method === 'GET' && kind !== 'download' && kind !== 'streamed';
}

/** Whether a write compares a revision, which the body has as `expectedRevision`, or the header as `If-Match`. */
export function takesRevision({ body = {} }: Operation): boolean {
  const { oneOf = [body] } = body as { oneOf?: object[] };
  return oneOf.some(({ properties = {} }: { properties?: object }) => 'expectedRevision' in properties);
}
