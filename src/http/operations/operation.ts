// Declares operations as values: id, method, path, OpenAPI documents, needs, schemas, limits and `run`. Guard,
// validation, deadline, OpenAPI, documentation and metrics all follow from such a value.

import type { Static, TObject, TSchema } from 'typebox';
import type { KidType } from '../../lib/kid.ts';
import type { PlainProblemCode, ProblemCode } from '../../lib/problem.ts';
import type { MissingRight, Needs } from '../../permissions/needs.ts';
import type { ComputerContext, ManagerContext, PublicContext } from '../context/operation-context.ts';
import type { Representation } from '../representations/representation.ts';
import type { TenantHost } from '../context/tenancy.ts';
import type { OnlyFieldsOf, PreparedResultOf, RepresentationResponse, ResultOf, RunResponse } from './response.ts';

export type OpenApiDocumentName = 'public' | 'downloads' | 'portal' | 'equipment';

/** The code, and perhaps the reason, of the problem for a missing right. */
export type MissingRightProblem = { readonly code: PlainProblemCode; readonly reason?: string };

/** Needs that depend on a parameter: the complete needs for a value of it. */
type NeedsByParameter =
  | {
      /** The parameter holds the KID of the object. */
      readonly parameter: string;
      /** The needs for each type of object that the operation accepts: at least those of the access for any object. */
      readonly byKidType: Readonly<Partial<Record<KidType, Needs>>>;
    }
  | {
      /** The parameter holds one of a few words. */
      readonly parameter: string;
      /** Every word has needs of its own; those of the access are only for what validation refuses afterwards. */
      readonly isExhaustive?: true;
      /** It is one of the query. */
      readonly in?: 'query';
      /** For some of the words, the needs that replace those of the access. */
      readonly byWord: Readonly<Record<string, Needs>>;
    };

/** What a manager needs for an operation beyond a valid session. */
export type OperationAccess = Partial<Needs> & {
  /** If the needs depend on a parameter: the other members are then the needs of every object, or of every other word. */
  readonly byParameter?: NeedsByParameter;
  /** The problem that the group uses for a missing right instead of `forbidden`. */
  readonly missingRightProblem?: (missing: MissingRight) => MissingRightProblem | undefined;
};

export type RequestPart = 'path' | 'query' | 'body';

/** A part of the request, or one of its fields: `query.filter`. */
export type RequestField = RequestPart | `${RequestPart}.${string}`;

/** General problems that a group can replace with a code of its own. The status stays. */
type ReplaceableProblemCode =
  | 'payload-too-large'
  | 'login-busy'
  | 'storage-timeout'
  | 'storage-text-comparison'
  | 'storage-unavailable'
  | 'storage-outcome-unknown';

export type ReplacedProblems = Readonly<Partial<Record<ReplaceableProblemCode, PlainProblemCode>>>;

/** UTC days, `YYYY-MM-DD`; at least six months lie between them (docs/clients.md). */
type Deprecation = { readonly since: string; readonly sunset: string };

type OperationDeclaration<P extends TObject, Q extends TObject, B extends TSchema, R> = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly openApiDocuments: readonly OpenApiDocumentName[];
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /**
   * `jsonl`: the body is JSON Lines (`application/jsonl`, perhaps compressed): `run` gets its bytes, decompressed, and
   * parses them itself. The schema is that of a line, for the documents.
   *
   * `octets`: `run` gets the bytes of a file as they arrive, decompressed, and reads them once. The schema is `octets`.
   * Each read and write of the operation has the whole deadline for itself. Managers only, without Idempotency-Key.
   */
  readonly bodyFormat?: 'jsonl' | 'octets';
  /** Declares a success; the result type of `run` follows from it. */
  readonly response: R;
  /** The group's own code for a failed validation, or one for a part of the request or for one of its fields. */
  readonly validationProblem?: PlainProblemCode | Partial<Record<RequestField, PlainProblemCode>>;
  /** The group's own codes that replace these. */
  readonly replacedProblems?: ReplacedProblems;
  /** Problems beyond those that every operation of its kind can answer with. */
  readonly problemCodes?: readonly ProblemCode[];
  /** Reasons of `forbidden` beyond those of the access. */
  readonly forbiddenReasons?: readonly string[];
  /** The response depends on Accept-Language. */
  readonly localised?: boolean;
  /**
   * The response holds a secret such as a token: it is never compressed, since its length would reveal something of it
   * (BREACH).
   */
  readonly holdsSecret?: true;
  /** Only managers may call it, never a service with its key. */
  readonly managersOnly?: true;
  /**
   * Accepts an Idempotency-Key. Writes do, unless they accept or return a password or a token, or concern an API key.
   */
  readonly acceptsIdempotencyKey?: boolean;
  /**
   * Whether a request has a secret that is short enough to be guessed, such as a PIN: its stored hash is then as slow
   * as a password's. A key of the tenant's database would not do instead: it would be stolen together with the hashes.
   * A code that is worthless once it was used, or that has too many random bits to be guessed, needs no slow hash.
   */
  readonly takesSecret?: (input: { readonly params: Readonly<Record<string, unknown>> }) => boolean;
  /** The operation will end: its answers say since when it is deprecated, and when it ends (RFC 9745, RFC 8594). */
  readonly deprecation?: Deprecation;
  /** Clients repeat it all the time: a success is not an event of the live log. */
  readonly isPolled?: true;
  /** Its requests wait for something to happen, and are sent again at once: the log has a success at level debug. */
  readonly isLongPoll?: true;
  /** A public operation that does not depend on storage, and so never fails with a storage problem. */
  readonly storageFree?: true;
  readonly deadlineMs: number;
  readonly maxBodyBytes?: number;
};

type OperationInput<P extends TObject, Q extends TObject, B extends TSchema> = {
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
};

/** An operation with its `run`, whose result T fits the declared response R. */
type RunDeclaration<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends RunResponse,
  T,
  Context,
> = OperationDeclaration<P, Q, B, R> &
  OnlyFieldsOf<R, T> & { readonly run: (input: OperationInput<P, Q, B>, context: Context) => T | Promise<T> };

type OfManagers = { readonly access: OperationAccess };

type OfAnyone<R> = {
  /**
   * The answer of a GET without parameters, if it is already known: plain requests get it without the framework, and
   * `run` returns the same one to all others.
   */
  readonly knownAnswer?: (tenantHost: TenantHost) => PreparedResultOf<R> | undefined;
};

/** Renders the image that the parameters of a path describe, for a client with this address as rate limits count it. */
type RenderImage<Params> = (
  params: Params,
  tenantHost: TenantHost,
  clientAddress: string,
) => Representation | Promise<Representation>;

/** A public operation whose path describes the whole image that it returns. */
type ImageDeclaration<P extends TObject> = OperationDeclaration<P, TObject, TSchema, RepresentationResponse> & {
  readonly render: RenderImage<Static<P>>;
};

type AnyDeclaration<Context> = RunDeclaration<TObject, TObject, TSchema, RunResponse, unknown, Context>;
type Anyone = { readonly access: 'anyone' };
type Computers = { readonly access: 'computer' };

export type ManagerOperation = AnyDeclaration<ManagerContext> & OfManagers;
type PublicOperation = AnyDeclaration<PublicContext> & OfAnyone<RunResponse> & Anyone;
export type ComputerOperation = AnyDeclaration<ComputerContext> & Computers;
export type ImageOperation = ImageDeclaration<TObject> & Anyone;
/** An operation that runs for each request. */
export type RunOperation = ManagerOperation | PublicOperation | ComputerOperation;
export type Operation = RunOperation | ImageOperation;

type Define<Context, Other, Defined> = <
  R extends RunResponse,
  T extends ResultOf<R>,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(
  declared: RunDeclaration<P, Q, B, R, T, Context> & Other,
) => Defined;

/** Declares an operation that needs a bearer token. */
export const defineManagerOperation: Define<ManagerContext, OfManagers, ManagerOperation> = (declared) => declared;

/** Declares an operation that works without a token. */
export function definePublicOperation<
  R extends RunResponse,
  T extends ResultOf<R>,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(declared: RunDeclaration<P, Q, B, R, T, PublicContext> & OfAnyone<R>): PublicOperation {
  return { ...declared, access: 'anyone' };
}

/** Declares an operation of the Equipment API, which needs the key of a computer. */
export const defineComputerOperation: Define<ComputerContext, unknown, ComputerOperation> = (declared) => ({
  ...declared,
  access: 'computer',
});

/** Declares an operation that returns an image to anyone. */
export const defineImageOperation = <P extends TObject = TObject>(declared: ImageDeclaration<P>): ImageOperation =>
  ({ ...declared, access: 'anyone' }) as unknown as ImageOperation;
