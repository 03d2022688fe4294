// An operation is a value: id, method, path, documents, needs, schemas, limits and `run`. Guard, validation, deadline,
// OpenAPI, documentation and metrics all follow from it.

import type { Static, TObject, TSchema } from 'typebox';
import type { ProblemCode } from '../lib/problem.ts';
import type { GrantLevel, MissingRight } from '../permissions/needs.ts';
import type { Permission, Tab } from '../permissions/matrix.ts';
import type { ManagerContext, PublicContext } from './context/operation-context.ts';
import type { Representation } from './representation.ts';
import type { TenantHost } from './context/tenancy.ts';

export type OpenApiDocumentName = 'public' | 'downloads' | 'portal';

/** What a bearer operation needs beyond a valid session. */
export type OperationAccess = {
  readonly tabs?: readonly Tab[];
  readonly permissions?: readonly Permission[];
  readonly grantLevel?: GrantLevel;
  /** The group's own words for what is missing. */
  readonly missingRightProblem?: (missing: MissingRight) => { readonly code: ProblemCode; readonly reason?: string };
};

export type RequestPart = 'path' | 'query' | 'body';

type OperationDeclaration<P extends TObject, Q extends TObject, B extends TSchema, A> = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly documents: readonly OpenApiDocumentName[];
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The success answer; without a schema it is 204. */
  readonly response?: TSchema;
  /**
   * A success is a Representation of one of these media types, which everybody may keep; `answer` is then the schema of
   * one that is JSON.
   */
  readonly representationTypes?: readonly string[];
  /** A success is a file of one of these media types, which is never kept: `run` answers a Download. */
  readonly downloadTypes?: readonly string[];
  readonly status?: 200 | 201 | 202 | 204;
  /** What a failed validation is called, where the group has its own code, or one for a part of the request. */
  readonly validationProblem?: ProblemCode | Partial<Record<RequestPart, ProblemCode>>;
  /** Refusals beyond those that every operation of its kind has. */
  readonly problemCodes?: readonly ProblemCode[];
  /** The answer depends on Accept-Language. */
  readonly localised?: boolean;
  /** Takes an Idempotency-Key; writes do, unless they answer a secret. */
  readonly acceptsIdempotencyKey?: boolean;
  /** A public operation that answers whatever state storage is in, and so never one of its failures. */
  readonly storageFree?: true;
  readonly deadlineMs: number;
  readonly maxBodyBytes?: number;
  readonly run: A;
};

export type OperationInput<P extends TObject, Q extends TObject, B extends TSchema> = {
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
};

// A promise or not.
type OperationResult = unknown;

export type ManagerOperation = OperationDeclaration<
  TObject,
  TObject,
  TSchema,
  (input: OperationInput<TObject, TObject, TSchema>, context: ManagerContext) => OperationResult
> & {
  readonly access: OperationAccess;
};
export type PublicOperation = OperationDeclaration<
  TObject,
  TObject,
  TSchema,
  (input: OperationInput<TObject, TObject, TSchema>, context: PublicContext) => OperationResult
> & {
  readonly access: 'anyone';
};
/** A public operation that answers a picture, described by its path alone. */
export type ImageOperation = PublicOperation & {
  readonly render: (
    params: Record<string, unknown>,
    tenantHost: TenantHost,
  ) => Representation | Promise<Representation>;
};
export type Operation = ManagerOperation | PublicOperation | ImageOperation;

/** Declares an operation that needs a bearer token. */
export function defineManagerOperation<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(
  declared: OperationDeclaration<
    P,
    Q,
    B,
    (input: OperationInput<P, Q, B>, context: ManagerContext) => OperationResult
  > & { readonly access: OperationAccess },
): ManagerOperation {
  return declared;
}

/** Declares an operation that works without a token. */
export function definePublicOperation<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(
  declared: OperationDeclaration<P, Q, B, (input: OperationInput<P, Q, B>, context: PublicContext) => OperationResult>,
): PublicOperation {
  return { ...declared, access: 'anyone' } as unknown as PublicOperation;
}

/** Declares an operation that answers a picture to anyone. */
export function defineImageOperation<P extends TObject = TObject>(
  declared: Omit<OperationDeclaration<P, TObject, TSchema, unknown>, 'run'> & {
    readonly render: (params: Static<P>, tenantHost: TenantHost) => Representation | Promise<Representation>;
  },
): ImageOperation {
  const { render } = declared;
  const run = ({ params }: { readonly params: Static<P> }, context: PublicContext): OperationResult =>
    render(params, context);
  return { ...declared, run, access: 'anyone' } as unknown as ImageOperation;
}

/** Whether an operation answers pictures. */
export const isImageOperation = (operation: Operation): operation is ImageOperation => 'render' in operation;

/** An operation's needs with every default filled in. */
export function needsOf({
  tabs = [],
  permissions = [],
  grantLevel = 'none',
}: OperationAccess): Required<Omit<OperationAccess, 'missingRightProblem'>> {
  return { tabs, permissions, grantLevel };
}

/** What is answered where something is missing: in the group's own words, if it has any. */
export function missingRightProblemFor(
  { missingRightProblem }: OperationAccess,
  missing: MissingRight,
): { readonly code: ProblemCode; readonly reason?: string } {
  return missingRightProblem?.(missing) ?? { code: 'forbidden' };
}

/** What a failed validation of a part is called; undefined where the part has no code of its own. */
export function validationCodeOfPart(
  { validationProblem }: Pick<Operation, 'validationProblem'>,
  part: RequestPart,
): ProblemCode | undefined {
  return typeof validationProblem === 'object' ? validationProblem[part] : undefined;
}

/** What a failed validation is called that is not about a KID. */
export function validationCode(operation: Pick<Operation, 'validationProblem'>, part: RequestPart): ProblemCode {
  const { validationProblem } = operation;
  return (typeof validationProblem === 'object' ? validationProblem[part] : validationProblem) ?? 'invalid-request';
}

/** The status of a success. */
export function successStatus({ response, representationTypes, downloadTypes, status }: Operation): number {
  return (
    status ?? (response === undefined && representationTypes === undefined && downloadTypes === undefined ? 204 : 200)
  );
}

/** Whether a success carries an ETag (its revision, or one of its bytes), and If-None-Match can spare the body. */
export function isConditional({ access, method, response, representationTypes }: Operation): boolean {
  if (representationTypes !== undefined) return true;
  const { properties = {} } = (response ?? {}) as { properties?: object };
  return access !== 'anyone' && method === 'GET' && 'revision' in properties;
}

export const defaultMaxBodyBytes = 65_536;
