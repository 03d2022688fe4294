// Declares the success of an operation, of one of seven kinds. The result type of `run`, the way the result is sent, and
// the documents follow from it.

import type { Static, TSchema } from 'typebox';
import type {
  Download,
  JsonResult,
  PreparedFile,
  PreparedJson,
  StoredFile,
  StreamedBody,
} from '../representations/results.ts';

/** The header fields that a success of some operations has. */
type ResponseHeader =
  | 'Accept-CH'
  | 'Content-Disposition'
  | 'Content-Security-Policy'
  | 'Location'
  | 'X-Document-Complete';

type ResponseOf<K extends string> = {
  readonly kind: K;
  readonly status: 200 | 201 | 202 | 204;
  /** The media types of the body; none without a body. */
  readonly mediaTypes: readonly string[];
  readonly headers: readonly ResponseHeader[];
  /** The schema of a JSON body. */
  readonly schema?: TSchema;
  /** Returns the path of the created object, given the answer: the Location (RFC 9110, 15.3.2). */
  locationOf?(this: void, answer: unknown): string;
};

type JsonResponse<S extends TSchema = TSchema> = ResponseOf<'json'> & { readonly schema: S };

/** Text that is sent while it is made; or, where a schema is given, JSON. */
type StreamedResponse<S extends TSchema = TSchema> = ResponseOf<'streamed'> & { readonly schema?: S };

export type RepresentationResponse = ResponseOf<'representation'>;

/** The kinds of responses to operations with a `run`. */
export type RunResponse =
  | JsonResponse
  | ResponseOf<'noContent'>
  | ResponseOf<'download'>
  | ResponseOf<'preparedFile'>
  | ResponseOf<'storedFile'>
  | StreamedResponse;

/** A value of the schema's type, possibly read-only. */
type JsonOf<R> = R extends JsonResponse<infer S> | (StreamedResponse<infer S> & { readonly schema: unknown })
  ? DeepReadonly<Static<S>>
  : never;
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What `run` returns, for each kind. */
export type ResultsByKind<R extends RunResponse = RunResponse> = {
  json: JsonResult<JsonOf<R>>;
  noContent: void | PreparedJson<void>;
  download: Download;
  preparedFile: PreparedFile;
  storedFile: StoredFile;
  streamed: StreamedBody | JsonResult<JsonOf<R>>;
};

/** What `run` returns for this declared response. */
export type ResultOf<R extends RunResponse> = ResultsByKind<R>[R['kind']];

/** The result as a finished JSON text. */
export type PreparedResultOf<R> = PreparedJson<JsonOf<R>>;

type KeysOf<T> = T extends unknown ? keyof T : never;
type FieldOf<T, K> = T extends { readonly [_ in K & PropertyKey]?: infer V } ? V : never;

/** The fields, at any depth, that T has in addition to those of S. */
type ExtraFields<T, S> =
  T extends PreparedJson<unknown>
    ? never
    : T extends readonly (infer Item)[]
      ? ExtraFields<Item, S extends readonly (infer I)[] ? I : never>
      : T extends object
        ?
            | Exclude<keyof T, KeysOf<S>>
            | { [K in keyof T & KeysOf<S>]: ExtraFields<T[K], FieldOf<S, K>> }[keyof T & KeysOf<S>]
        : never;

/**
 * Refuses a `run` whose result has a field that the JSON schema does not have. TypeScript itself refuses one only in a
 * literal that is assigned directly to its type.
 */
export type OnlyFieldsOf<R, T> =
  R extends JsonResponse<infer S>
    ? [ExtraFields<T, Static<S>>] extends [never]
      ? unknown
      : { readonly run: `${ExtraFields<T, Static<S>> & string} is no field of the schema` }
    : unknown;

/** The media types that a client can choose from for JSON; the first one unless it prefers another. */
export const jsonMediaTypes = ['application/json', 'text/json', 'text/plain'];

type JsonOptions<S extends TSchema> = {
  readonly status?: 201 | 202;
  locationOf?(this: void, answer: Static<S>): string;
};

/** JSON of this schema: `run` returns a value of its type, or its text as PreparedJson. */
export const jsonOf = <S extends TSchema>(schema: S, options: JsonOptions<S> = {}): JsonResponse<S> => ({
  kind: 'json',
  status: 200,
  mediaTypes: jsonMediaTypes,
  headers: options.locationOf === undefined ? [] : ['Location'],
  schema,
  ...options,
});

export const noContent: ResponseOf<'noContent'> = { kind: 'noContent', status: 204, mediaTypes: [], headers: [] };

type FileOptions = { readonly headers?: readonly ResponseHeader[]; readonly schema?: TSchema };

const declareFile =
  <K extends string>(kind: K) =>
  (mediaTypes: readonly string[], options: FileOptions = {}): ResponseOf<K> => ({
    kind,
    status: 200,
    mediaTypes,
    headers: [],
    ...options,
  });

/** A Representation, which every client and cache may store. */
export const representation = declareFile('representation');

/** A file that is streamed and never stored: `run` returns a Download. */
export const download = (mediaTypes: readonly string[]): ResponseOf<'download'> =>
  declareFile('download')(mediaTypes, { headers: ['Content-Disposition'] });

/** A file that is finished before it is sent: `run` returns a PreparedFile. */
export const preparedFile = declareFile('preparedFile');

/** A file on disk, of which ranges can be requested: `run` returns a StoredFile. */
export const storedFile = declareFile('storedFile');

/** Text of these media types that is sent while it is made and that nobody stores: `run` returns a StreamedBody. */
export const streamed = (mediaTypes: readonly string[]): StreamedResponse => ({
  kind: 'streamed',
  status: 200,
  mediaTypes,
  headers: [],
});

/** Declares a stream, or JSON of the schema: `run` decides which of the two the client gets. */
export const streamedOrJson = <S extends TSchema>(
  mediaTypes: readonly string[],
  schema: S,
): StreamedResponse<S> & { readonly schema: S } => ({ ...streamed(mediaTypes), schema });
