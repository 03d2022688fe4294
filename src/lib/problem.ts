// The catalogue of problems (RFC 9457): code -> status and title, and the error that carries a problem to the client.
// docs/errors.md is generated from it.

type ProblemEntry = { readonly status: number; readonly title: string; readonly retryAfterSeconds?: number };

export const problems = {
  'unknown-host': { status: 400, title: 'The request host does not belong to a tenant of this service.' },
  'invalid-request': { status: 400, title: 'The request is invalid.' },
  'invalid-kid': { status: 400, title: 'A KID is malformed, of another tenant, or of the wrong type.' },
  'malformed-body': { status: 400, title: 'The request body is not well-formed JSON.' },
  'invalid-idempotency-key': { status: 400, title: 'Idempotency-Key must be 1 to 128 visible ASCII characters.' },
  'invalid-user': { status: 400, title: 'The user, or the KID of the user, is invalid.' },
  'invalid-page': { status: 400, title: 'The offset or the revision of the page is invalid.' },
  'invalid-setting': { status: 400, title: 'The value of the setting, or the request body, is invalid.' },
  'invalid-logo-parameters': { status: 400, title: 'A parameter of the logo is invalid.' },
  'invalid-gradient-parameters': { status: 400, title: 'A parameter of the gradient is invalid.' },
  'invalid-circle-parameters': { status: 400, title: 'A parameter of the circle is invalid.' },
  'invalid-icon-parameters': { status: 400, title: 'A parameter of the icon is invalid.' },
  unauthenticated: { status: 401, title: 'A valid bearer token for this host is required.' },
  'invalid-credentials': { status: 401, title: 'The user name or the password is wrong.' },
  forbidden: { status: 403, title: 'The manager lacks a right that this operation needs.' },
  'not-found': { status: 404, title: 'The object does not exist or is not visible to the manager.' },
  'icon-not-found': { status: 404, title: 'There is no such icon set, or no set has the icon.' },
  'unknown-route': { status: 404, title: 'There is no such route.' },
  'method-not-allowed': { status: 405, title: 'The route does not support this method.' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time.' },
  'already-reversed': { status: 409, title: 'The entry has already been reversed.' },
  'booking-conflict': { status: 409, title: 'The booking has changed since it was read: read it again.' },
  'booking-overlap': { status: 409, title: 'The time of the booking has been taken in the meantime.' },
  'idempotency-in-progress': {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running.',
    retryAfterSeconds: 1,
  },
  'receipts-changed': {
    status: 409,
    title: 'The receipts have changed since this revision: start again with the first page.',
  },
  'setting-conflict': { status: 409, title: 'The setting has changed since this revision: read it again.' },
  'payload-too-large': { status: 413, title: 'The request body is larger than the operation accepts.' },
  'uri-too-long': { status: 414, title: 'The request target is longer than the service accepts.' },
  'unsupported-media-type': { status: 415, title: 'The media type of the request body is not supported.' },
  'booking-ended': { status: 422, title: 'The booking has ended.' },
  'booking-not-allowed': { status: 422, title: 'The command is not allowed for this booking; reason says why.' },
  'export-too-large': { status: 422, title: 'The selection has more rows than an export may have.' },
  'period-open': { status: 422, title: 'The settlement period is still open.' },
  'not-reversible': { status: 422, title: 'An entry of this kind cannot be reversed; reason says why.' },
  'read-only-setting': { status: 422, title: 'The setting is a state, or cannot be written by managers.' },
  'idempotency-mismatch': { status: 422, title: 'This Idempotency-Key was used for another request.' },
  'too-many-attempts': { status: 429, title: 'Too many failed logins.', retryAfterSeconds: 60 },
  'too-many-renders': {
    status: 429,
    title: 'Too many images of this kind are being rendered at the same time.',
    retryAfterSeconds: 1,
  },
  'too-many-requests': { status: 429, title: 'The rate limit is used up.', retryAfterSeconds: 60 },
  'header-too-large': { status: 431, title: 'The request header fields are larger than the service accepts.' },
  'internal-error': { status: 500, title: 'The service failed to handle this request.' },
  'icon-unavailable': { status: 503, title: 'The icon could not be rendered.', retryAfterSeconds: 10 },
  'login-busy': { status: 503, title: 'Too many logins are being checked at the same time.', retryAfterSeconds: 2 },
  'not-ready': { status: 503, title: 'A readiness check fails; detail names it.', retryAfterSeconds: 5 },
  'periods-timeout': {
    status: 503,
    title: 'Reading by settlement period took longer than its deadline.',
    retryAfterSeconds: 30,
  },
  'receipts-too-large': { status: 503, title: 'There are too many receipts for one response.' },
  'storage-busy': { status: 503, title: 'Too many of these reads are running at the same time.', retryAfterSeconds: 1 },
  'storage-timeout': { status: 503, title: 'Storage took longer than the deadline.', retryAfterSeconds: 10 },
  'storage-text-comparison': { status: 503, title: 'Storage could not compare texts of different collations.' },
  'storage-unavailable': { status: 503, title: 'Storage is unavailable.', retryAfterSeconds: 10 },
  'storage-outcome-unknown': {
    status: 503,
    title: 'The write may have been committed: read the object before you retry.',
  },
} as const satisfies Record<string, ProblemEntry>;

export type ProblemCode = keyof typeof problems;

export type FieldError = { readonly path: string; readonly message: string };

type ProblemDetails = {
  readonly reason?: string;
  /** A sentence for the client; never a stack, SQL or a file path. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** Only for the log. */
  readonly cause?: unknown;
};

/** An expected failure of a request. It is thrown anywhere, and sent by src/http/error-reply.ts. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.detail ?? problems[code].title, { cause: details.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = problems[code].status;
    this.details = details;
  }

  get retryAfterSeconds(): number | undefined {
    const entry: ProblemEntry = problems[this.code];
    return this.details.retryAfterSeconds ?? entry.retryAfterSeconds;
  }
}
