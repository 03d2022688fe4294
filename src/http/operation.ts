// An operation is a value: id, method, path, documents, needs, schemas, limits and `run`. Guard, validation, deadline,
// OpenAPI, documentation and metrics all follow from it.

import type { Static, TObject, TSchema } from 'typebox';
import type { ProblemCode } from '../lib/problem.ts';
import type { Breadth, Missing } from '../permissions/needs.ts';
import type { Permission, Tab } from '../permissions/matrix.ts';
import type { ManagerDoor, PublicDoor } from './door.ts';
import type { Representation } from './representation.ts';
import type { Place } from './tenancy.ts';

export type DocumentName = 'public' | 'downloads' | 'portal';

/** What a bearer operation needs beyond a valid session. */
export type Access = {
  readonly tabs?: readonly Tab[];
  readonly permissions?: readonly Permission[];
  readonly breadth?: Breadth;
  /** The group's own words for what is missing. */
  readonly refusal?: (missing: Missing) => { readonly code: ProblemCode; readonly reason?: string };
};

export type RequestPart = 'path' | 'query' | 'body';

type Common<P extends TObject, Q extends TObject, B extends TSchema, A> = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly documents: readonly DocumentName[];
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The success answer; without a schema it is 204. */
  readonly answer?: TSchema;
  /**
   * A success is a Representation of one of these media types, which everybody may keep; `answer` is then the schema of
   * one that is JSON.
   */
  readonly media?: readonly string[];
  /** A success is a file of one of these media types, which is never kept: `run` answers a Download. */
  readonly files?: readonly string[];
  readonly status?: 200 | 201 | 202 | 204;
  /** What a failed validation is called, where the group has its own code, or one for a part of the request. */
  readonly invalid?: ProblemCode | Partial<Record<RequestPart, ProblemCode>>;
  /** Refusals beyond those that every operation of its kind has. */
  readonly problems?: readonly ProblemCode[];
  /** The answer depends on Accept-Language. */
  readonly localised?: boolean;
  /** Takes an Idempotency-Key; writes do, unless they answer a secret. */
  readonly idempotent?: boolean;
  /** A public operation that answers whatever state storage is in, and so never one of its failures. */
  readonly storageFree?: true;
  readonly deadlineMs: number;
  readonly maxBodyBytes?: number;
  readonly run: A;
};

export type Input<P extends TObject, Q extends TObject, B extends TSchema> = {
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
};

// A promise or not.
type Answer = unknown;

export type ManagerOperation = Common<
  TObject,
  TObject,
  TSchema,
  (input: Input<TObject, TObject, TSchema>, door: ManagerDoor) => Answer
> & {
  readonly access: Access;
};
export type PublicOperation = Common<
  TObject,
  TObject,
  TSchema,
  (input: Input<TObject, TObject, TSchema>, door: PublicDoor) => Answer
> & {
  readonly access: 'anyone';
};
/** A public operation that answers a picture, described by its path alone. */
export type PictureOperation = PublicOperation & {
  readonly draw: (params: Record<string, unknown>, place: Place) => Representation | Promise<Representation>;
};
export type Operation = ManagerOperation | PublicOperation | PictureOperation;

/** Declares an operation that needs a bearer token. */
export function managerOperation<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>(
  declared: Common<P, Q, B, (input: Input<P, Q, B>, door: ManagerDoor) => Answer> & { readonly access: Access },
): ManagerOperation {
  return declared;
}

/** Declares an operation that works without a token. */
export function publicOperation<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>(
  declared: Common<P, Q, B, (input: Input<P, Q, B>, door: PublicDoor) => Answer>,
): PublicOperation {
  return { ...declared, access: 'anyone' } as unknown as PublicOperation;
}

/** Declares an operation that answers a picture to anyone. */
export function pictureOperation<P extends TObject = TObject>(
  declared: Omit<Common<P, TObject, TSchema, unknown>, 'run'> & {
    readonly draw: (params: Static<P>, place: Place) => Representation | Promise<Representation>;
  },
): PictureOperation {
  const { draw } = declared;
  const run = ({ params }: { readonly params: Static<P> }, door: PublicDoor): Answer => draw(params, door);
  return { ...declared, run, access: 'anyone' } as unknown as PictureOperation;
}

/** Whether an operation answers pictures. */
export const isPicture = (operation: Operation): operation is PictureOperation => 'draw' in operation;

/** An operation's needs with every default filled in. */
export function needsOf({ tabs = [], permissions = [], breadth = 'none' }: Access): Required<Omit<Access, 'refusal'>> {
  return { tabs, permissions, breadth };
}

/** What is answered where something is missing: in the group's own words, if it has any. */
export function refusalFor(
  { refusal }: Access,
  missing: Missing,
): { readonly code: ProblemCode; readonly reason?: string } {
  return refusal?.(missing) ?? { code: 'forbidden' };
}

/** What a failed validation of a part is called; undefined where the part has no code of its own. */
export function codeOfPart({ invalid }: Pick<Operation, 'invalid'>, part: RequestPart): ProblemCode | undefined {
  return typeof invalid === 'object' ? invalid[part] : undefined;
}

/** What a failed validation is called that is not about a KID. */
export function invalidCode(operation: Pick<Operation, 'invalid'>, part: RequestPart): ProblemCode {
  const { invalid } = operation;
  return (typeof invalid === 'object' ? invalid[part] : invalid) ?? 'invalid-request';
}

/** The status of a success. */
export function successStatus({ answer, media, files, status }: Operation): number {
  return status ?? (answer === undefined && media === undefined && files === undefined ? 204 : 200);
}

/** Whether a success carries an ETag (its revision, or one of its bytes), and If-None-Match can spare the body. */
export function isConditional({ access, method, answer, media }: Operation): boolean {
  if (media !== undefined) return true;
  const { properties = {} } = (answer ?? {}) as { properties?: object };
  return access !== 'anyone' && method === 'GET' && 'revision' in properties;
}

export const defaultMaxBodyBytes = 65_536;
