// The catalogue of problems (RFC 9457): code -> status and title, and the error that carries a problem to the client.
// docs/errors.md is generated from it.

import type { FieldFault } from './values/field-faults.ts';
import { problemGroups, type ProblemDescription } from './problems-by-status.ts';

type Groups = typeof problemGroups;
type Group = Groups[keyof Groups];

export type ProblemCode = { [Status in keyof Groups]: keyof Groups[Status] }[keyof Groups];

type ProblemEntry = ProblemDescription & { readonly status: number };

/** In the order of their statuses, which is that of docs/errors.md. */
export const problems = Object.fromEntries(
  Object.entries<Readonly<Record<string, string | ProblemDescription>>>(problemGroups).flatMap(([status, group]) =>
    Object.entries(group).map(([code, described]) => [
      code,
      { status: Number(status), ...(typeof described === 'string' ? { title: described } : described) },
    ]),
  ),
) as Readonly<Record<ProblemCode, ProblemEntry>>;

/** Every status that problems of the code can have. */
export function statusesOfCode(code: ProblemCode): readonly number[] {
  const { status, otherStatus } = problems[code];
  return otherStatus === undefined ? [status] : [status, otherStatus];
}

/** The reasons of a code in the catalogue. */
export type ProblemReason<C extends ProblemCode> = Group extends infer G
  ? G extends Readonly<Record<C, { readonly reasons: readonly (infer R)[] }>>
    ? R
    : never
  : never;

/** Returns the reasons of a code that is known only at run time. */
export const reasonsOfCode = (code: ProblemCode): readonly string[] => problems[code].reasons ?? [];

export type FieldError = { readonly path: string; readonly message: string } & Pick<FieldFault, 'code' | 'limit'>;

/** The extension members (RFC 9457, 3.2) of the problems that have some. Their schemas: http/openapi/problem-schema.ts. */
export type ProblemExtensions = {
  'already-reversed': {
    /** Null where the account does not show the link either. */
    readonly reversedByKid: string | null;
  };
  'booking-conflict': { readonly currentEventKid: string };
  /** The position of the stream: its epoch, and the number of the line that it expects. */
  'stream-gap': StreamPosition;
  'unknown-epoch': StreamPosition;
};

type StreamPosition = { readonly epoch: string; readonly expected: number };

/** The codes of problems without extension members. */
export type PlainProblemCode = Exclude<ProblemCode, keyof ProblemExtensions>;

type ProblemDetails = {
  readonly reason?: string;
  /** A sentence for the client; never a stack, SQL or a file path. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the status of the catalogue. */
  readonly status?: number;
  /** Replaces the one of the catalogue; null where a retry cannot help. */
  readonly retryAfterSeconds?: number | null;
  /** Only for the log. */
  readonly cause?: unknown;
};

type ExtendedProblemArguments = {
  [Code in keyof ProblemExtensions]: [
    code: Code,
    details: ProblemDetails & { readonly extensions: ProblemExtensions[Code] },
  ];
}[keyof ProblemExtensions];

/** An expected failure of a request. It is thrown anywhere, and sent by src/http/responses/error-reply.ts. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: ProblemDetails & { readonly extensions?: Readonly<Record<string, unknown>> };

  constructor(code: PlainProblemCode, details?: ProblemDetails);
  constructor(...extended: ExtendedProblemArguments);
  constructor(code: ProblemCode, details: Problem['details'] = {}) {
    super(details.detail ?? problems[code].title, { cause: details.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = details.status ?? problems[code].status;
    this.details = details;
  }

  get retryAfterSeconds(): number | undefined {
    const { retryAfterSeconds = problems[this.code].retryAfterSeconds } = this.details;
    return retryAfterSeconds ?? undefined;
  }
}
