// Declares operations as values: id, method, path, documents, needs, schemas, limits and `run`. Guard, validation,
// deadline, OpenAPI, documentation and metrics all follow from such a value.

import type { Static, TObject, TSchema } from 'typebox';
import type { KidType } from '../lib/kid.ts';
import type { PlainProblemCode, ProblemCode } from '../lib/problem.ts';
import type { MissingRight, Needs } from '../permissions/needs.ts';
import type { ManagerContext, PublicContext } from './context/operation-context.ts';
import type { PreparedJson } from './prepared-json.ts';
import type { Representation } from './representation.ts';
import type { TenantHost } from './context/tenancy.ts';

export type OpenApiDocumentName = 'public' | 'downloads' | 'portal';

/** The code, and perhaps the reason, of the problem that answers a missing right. */
export type MissingRightProblem = { readonly code: PlainProblemCode; readonly reason?: string };

/** Needs that depend on a path parameter: all that is needed for a value of it. */
export type NeedsByParameter =
  | {
      /** Holds the KID of the object. */
      readonly parameter: string;
      /** For each type of object that the operation takes: at least what the access needs for any object. */
      readonly byKidType: Readonly<Partial<Record<KidType, Needs>>>;
    }
  | {
      /** Holds one of a few words. */
      readonly parameter: string;
      /** For some of the words, in place of what the access needs for the others. */
      readonly byWord: Readonly<Record<string, Needs>>;
    };

/** What a manager needs for an operation beyond a valid session. */
export type OperationAccess = Partial<Needs> & {
  /** Where the needs depend on what the path says: the others are then what every object needs, or every other word. */
  readonly byParameter?: NeedsByParameter;
  /** The problem that the group uses for a missing right instead of `forbidden`. */
  readonly missingRightProblem?: (missing: MissingRight) => MissingRightProblem | undefined;
};

/** The header fields that a prepared file can have. */
export type FileHeader = 'Accept-CH' | 'Content-Disposition' | 'Content-Security-Policy' | 'X-Document-Complete';

export type RequestPart = 'path' | 'query' | 'body';

/** A part of the request, or one of its fields: `query.filter`. */
export type RequestField = RequestPart | `${RequestPart}.${string}`;

/** Problems of every group for which a group can have a code of its own. The status stays. */
export type ReplaceableProblemCode =
  | 'payload-too-large'
  | 'login-busy'
  | 'storage-timeout'
  | 'storage-text-comparison'
  | 'storage-unavailable'
  | 'storage-outcome-unknown';

export type ReplacedProblems = Readonly<Partial<Record<ReplaceableProblemCode, PlainProblemCode>>>;

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
  /** The schema of a success; without one it is 204. */
  readonly response?: TSchema;
  /**
   * A success is a Representation of one of these media types, which every client and cache may store. `response` is
   * then the schema of one that is JSON.
   */
  readonly representationTypes?: readonly string[];
  /** A success is a file of one of these media types, which is never stored: `run` returns a Download. */
  readonly downloadTypes?: readonly string[];
  /**
   * A success is finished before it is sent, and has these header fields: `run` returns a PreparedFile. It is of one of
   * `fileTypes`, or JSON of the schema `response`.
   */
  readonly fileHeaders?: readonly FileHeader[];
  readonly fileTypes?: readonly string[];
  /** A success is a file of one of `fileTypes` on disk, whole or a range of it: `run` returns a StoredFile. */
  readonly acceptsRanges?: true;
  readonly status?: 200 | 201 | 202 | 204;
  /** The path of what was created, out of the answer: its Location (RFC 9110, 15.3.2). */
  readonly locationOf?: (answer: never) => string;
  /** The group's own code for a failed validation, or one for a part of the request or for one of its fields. */
  readonly validationProblem?: PlainProblemCode | Partial<Record<RequestField, PlainProblemCode>>;
  /** The group's own codes in place of these. */
  readonly replacedProblems?: ReplacedProblems;
  /** Problems beyond those that every operation of its kind can answer with. */
  readonly problemCodes?: readonly ProblemCode[];
  /** Reasons of `forbidden` beyond those of the access. */
  readonly forbiddenReasons?: readonly string[];
  /** The response depends on Accept-Language. */
  readonly localised?: boolean;
  /** The response holds a token or the like: it is never compressed, since its length would tell of it (BREACH). */
  readonly holdsSecret?: true;
  /** Only managers may call it, never a service with its key. */
  readonly managersOnly?: true;
  /** Takes an Idempotency-Key; writes do, unless they take or answer a password or a token, or what belongs to an API key. */
  readonly acceptsIdempotencyKey?: boolean;
  /** Whether a request has a secret that is short enough to be guessed: its hash is then made as slowly as a password's. */
  readonly takesSecret?: (input: { readonly params: Readonly<Record<string, unknown>> }) => boolean;
  /** Clients ask it again and again while a page is open: a success is no event of the live log. */
  readonly isPolled?: true;
  /** A public operation that does not depend on storage, and so never fails with a storage problem. */
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

/** The work of an operation. Its result may be a promise. */
type RunOperation<P extends TObject, Q extends TObject, B extends TSchema, Context> = (
  input: OperationInput<P, Q, B>,
  context: Context,
) => unknown;

type ManagerOperationDeclaration<P extends TObject, Q extends TObject, B extends TSchema> = OperationDeclaration<
  P,
  Q,
  B,
  RunOperation<P, Q, B, ManagerContext>
> & { readonly access: OperationAccess };

type PublicOperationDeclaration<P extends TObject, Q extends TObject, B extends TSchema> = OperationDeclaration<
  P,
  Q,
  B,
  RunOperation<P, Q, B, PublicContext>
> & {
  /**
   * The answer of a GET without parameters, where it is known by now: plain requests get it without the framework, and
   * `run` gives all others the same one.
   */
  readonly knownAnswer?: (tenantHost: TenantHost) => PreparedJson | undefined;
};

/** Renders the image that the parameters of a path describe, for a client with that address as rate limits count it. */
type RenderImage<Params> = (
  params: Params,
  tenantHost: TenantHost,
  clientAddress: string,
) => Representation | Promise<Representation>;

export type ManagerOperation = ManagerOperationDeclaration<TObject, TObject, TSchema>;
export type PublicOperation = PublicOperationDeclaration<TObject, TObject, TSchema> & { readonly access: 'anyone' };
/** A public operation whose path describes the whole image that it returns. */
export type ImageOperation = PublicOperation & { readonly render: RenderImage<Record<string, unknown>> };
export type Operation = ManagerOperation | PublicOperation | ImageOperation;

/** Declares an operation that needs a bearer token. */
export function defineManagerOperation<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(declared: ManagerOperationDeclaration<P, Q, B>): ManagerOperation {
  return declared;
}

/** Declares an operation that works without a token. */
export function definePublicOperation<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(declared: PublicOperationDeclaration<P, Q, B>): PublicOperation {
  return { ...declared, access: 'anyone' } as unknown as PublicOperation;
}

/** Declares an operation that returns an image to anyone. */
export function defineImageOperation<P extends TObject = TObject>(
  declared: Omit<OperationDeclaration<P, TObject, TSchema, unknown>, 'run'> & {
    readonly render: RenderImage<Static<P>>;
  },
): ImageOperation {
  const run = ({ params }: { readonly params: Static<P> }, context: PublicContext): unknown =>
    declared.render(params, context, context.clientAddress);
  return { ...declared, run, access: 'anyone' } as unknown as ImageOperation;
}
