// The catalogue of problems (RFC 9457): code -> status and title, and the error that carries a problem to the client.
// docs/errors.md is generated from it.

type ProblemEntry = {
  readonly status: number;
  /** A problem of the code that stands for a general one has the status of that. */
  readonly otherStatus?: number;
  readonly title: string;
  /** Every reason that a problem of the code can have; `forbidden` has those of the operation's access. */
  readonly reasons?: readonly string[];
  readonly retryAfterSeconds?: number;
};

export const problems = {
  'unknown-host': { status: 400, title: 'The request host does not belong to a tenant of this service.' },
  'invalid-request': { status: 400, title: 'The request is invalid.' },
  'invalid-kid': { status: 400, title: 'A KID is malformed, of another tenant, or of the wrong type.' },
  'malformed-body': { status: 400, title: 'The request body is not well-formed JSON.' },
  'invalid-idempotency-key': { status: 400, title: 'Idempotency-Key must be 1 to 128 visible ASCII characters.' },
  'invalid-user': { status: 400, title: 'The user, or the KID of the user, is invalid.' },
  'invalid-page': { status: 400, title: 'The position, the size, the cursor or the revision of the page is invalid.' },
  'invalid-limit': { status: 400, title: 'The limit is out of range.' },
  'invalid-setting': { status: 400, title: 'The value of the setting, or the request body, is invalid.' },
  'invalid-filter': { status: 400, title: 'The filter is too long.' },
  'invalid-sort': { status: 400, title: 'The sort field or the direction is unknown.' },
  'invalid-service-kid': { status: 400, title: 'The KID is malformed, of another tenant, or names no service.' },
  'invalid-service-profile': {
    status: 400,
    otherStatus: 413,
    title: 'The field, its value, or the request body is invalid, or the body is too large.',
  },
  'invalid-profile': { status: 400, title: 'The profile field, its value or the request body is invalid.' },
  'invalid-password': { status: 400, title: 'The current password is wrong, or the new one is not accepted.' },
  'invalid-code': { status: 400, title: 'The verification code is wrong, used, replaced or expired.' },
  'invalid-hosting-selection': {
    status: 400,
    title: 'The environment, the application, the hours, or another query parameter is invalid.',
  },
  'invalid-logo-parameters': { status: 400, title: 'A parameter of the logo is invalid.' },
  'invalid-gradient-parameters': { status: 400, title: 'A parameter of the gradient is invalid.' },
  'invalid-circle-parameters': { status: 400, title: 'A parameter of the circle is invalid.' },
  'invalid-icon-parameters': { status: 400, title: 'A parameter of the icon is invalid.' },
  unauthenticated: { status: 401, title: 'A valid bearer token for this host is required.' },
  'invalid-credentials': { status: 401, title: 'The user name or the password is wrong.' },
  forbidden: { status: 403, title: 'The manager lacks a right that this operation needs.' },
  'missing-services-tab': { status: 403, title: 'The manager lacks the Tab Services1.' },
  'missing-services-read': { status: 403, title: 'The manager lacks the permission Service.Read.' },
  'missing-services-write': { status: 403, title: 'The manager lacks the permission Service.Write.' },
  'missing-status-tab': { status: 403, title: 'The manager lacks the Tab TenantStatus1.' },
  'missing-bank-read': { status: 403, title: 'The manager lacks the permission Bank.Read.' },
  'missing-location-read': { status: 403, title: 'The manager lacks the permission Location.Read.' },
  'missing-unit-read': { status: 403, title: 'The manager lacks the permission Unit.Read.' },
  'missing-resource-access': { status: 403, title: 'The manager has no grant for any bank or location.' },
  'missing-logs-tab': { status: 403, title: 'The manager lacks the Tab Logs1.' },
  'missing-hosting-tab': { status: 403, title: 'The manager lacks the Tab Hosting1.' },
  'missing-managers-read': { status: 403, title: 'The manager lacks the permission Managers.Read.' },
  'missing-tenant-access': { status: 403, title: 'The manager has no tenant-wide grant.' },
  'own-permissions': {
    status: 403,
    title: 'Only the sole active manager with a tenant-wide grant can change their own permissions.',
  },
  'not-found': { status: 404, title: 'The object does not exist or is not visible to the manager.' },
  'release-not-found': {
    status: 404,
    title: 'The host offers no validated release for this architecture, or no file of this name.',
  },
  'icon-not-found': { status: 404, title: 'There is no such icon set, or no set has the icon.' },
  'unknown-route': { status: 404, title: 'There is no such route.' },
  'method-not-allowed': { status: 405, title: 'The route does not support this method.' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time.' },
  'address-conflict': { status: 409, title: 'The address has changed since this revision: read it again.' },
  'already-reversed': { status: 409, title: 'The entry has already been reversed.' },
  'booking-conflict': { status: 409, title: 'The booking has changed since it was read: read it again.' },
  'booking-overlap': { status: 409, title: 'The time of the booking has been taken in the meantime.' },
  'idempotency-in-progress': {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running.',
    retryAfterSeconds: 1,
  },
  'installer-icon-conflict': {
    status: 409,
    title: 'The icon of the installer has changed since this revision: read it again.',
  },
  'profile-conflict': { status: 409, title: 'The profile has changed since this revision: read it again.' },
  'manager-conflict': {
    status: 409,
    title: 'The rights of the manager have changed since this revision: read them again.',
  },
  'receipts-changed': {
    status: 409,
    title: 'The receipts have changed since this revision: start again with the first page.',
  },
  'service-profile-conflict': {
    status: 409,
    title: 'The service has changed since this revision: read it again.',
  },
  'setting-conflict': { status: 409, title: 'The setting has changed since this revision: read it again.' },
  'status-context-changed': {
    status: 409,
    title: 'The cursor is of another page size, language, manager or grant: start again with a first page.',
  },
  'user-conflict': { status: 409, title: 'The resident has changed since this revision: read it again.' },
  'user-exists': { status: 409, title: 'Another resident of the bank has this email address.' },
  'key-exists': { status: 409, title: 'Another resident has this key.' },
  'status-snapshot-expired': {
    status: 410,
    title: 'The snapshot of the cursor is not kept any more: start again with a first page.',
  },
  'precondition-failed': { status: 412, title: 'The file is not the one that If-Match names: begin again.' },
  'payload-too-large': { status: 413, title: 'The request body is larger than the operation accepts.' },
  'uri-too-long': { status: 414, title: 'The request target is longer than the service accepts.' },
  'unsupported-media-type': { status: 415, title: 'The media type of the request body is not supported.' },
  'range-not-satisfiable': { status: 416, title: 'The range lies outside of the file.' },
  'booking-ended': { status: 422, title: 'The booking has ended.' },
  'booking-not-allowed': {
    status: 422,
    title: 'The command is not allowed for this booking; reason says why.',
    reasons: [
      'not-booked',
      'not-cancelled',
      'unit-deleted',
      'unit-disabled',
      'resident-gone',
      'place-disabled',
      'not-bookable',
      'cancel-deadline',
      'notice',
      'horizon',
      'max-open',
      'max-per-day',
      'max-per-week',
      'max-per-month',
    ],
  },
  'bank-full': { status: 422, title: 'The bank has no id left for another resident.' },
  'command-not-allowed': {
    status: 422,
    title: 'The state of the resident does not allow the command; reason says why.',
    reasons: ['deleted', 'not-deleted', 'not-retained', 'not-active', 'not-disabled', 'too-many-keys', 'no-keys'],
  },
  'no-activation-code': {
    status: 404,
    title: 'The resident has no activation code; reason says why.',
    reasons: ['used', 'expired', 'none'],
  },
  'export-too-large': { status: 422, title: 'The selection has more rows than an export may have.' },
  'document-too-large': { status: 422, title: 'The document has more data than one document may have.' },
  'no-numeric-data': { status: 422, title: 'The selected fields have no numeric data that a graph could show.' },
  'too-many-series': { status: 422, title: 'A graph shows at most 16 series: select fewer fields.' },
  'unsupported-unit-type': { status: 422, title: 'The type of the unit is unknown to this service.' },
  'last-administrator': {
    status: 422,
    title: 'Nobody would be left who can administer the managers of the tenant.',
  },
  'search-too-large': { status: 422, title: 'The search covers too much: narrow it to one location.' },
  'period-open': { status: 422, title: 'The settlement period is still open.' },
  'not-reversible': {
    status: 422,
    title: 'An entry of this kind cannot be reversed; reason says why.',
    reasons: [
      'compensating-entry',
      'payment-managed',
      'payment-transfer',
      'monthly-transfer',
      'unknown-type',
      'not-consumption',
      'credit',
      'zero-amount',
      'no-resident',
      'expired-identity',
      'guest-entry',
      'no-internal-tag',
      'amount-out-of-range',
    ],
  },
  'read-only-setting': {
    status: 422,
    title: 'The setting is a state, or cannot be written by managers; reason says which.',
    reasons: ['state', 'not-editable'],
  },
  'idempotency-mismatch': { status: 422, title: 'This Idempotency-Key was used for another request.' },
  'too-many-attempts': { status: 429, title: 'Too many wrong passwords.', retryAfterSeconds: 60 },
  'too-many-verifications': {
    status: 429,
    title: 'Too many verification codes were requested in an hour.',
    retryAfterSeconds: 3600,
  },
  'too-many-renders': {
    status: 429,
    title: 'Too many images of this kind are being rendered at the same time.',
    retryAfterSeconds: 1,
  },
  'too-many-requests': { status: 429, title: 'The rate limit is used up.', retryAfterSeconds: 60 },
  'unread-answers': {
    status: 429,
    title: 'Too much waits to be read by this client: it has to read its answers first.',
    retryAfterSeconds: 5,
  },
  'header-too-large': { status: 431, title: 'The request header fields are larger than the service accepts.' },
  'internal-error': { status: 500, title: 'The service failed to handle this request.' },
  'unsupported-transfer-coding': {
    status: 501,
    title: 'The service understands no transfer coding of requests but chunked.',
  },
  'clock-behind': {
    status: 503,
    title: 'The clock of the service is behind what was recorded last: nothing is recorded until it is right again.',
    retryAfterSeconds: 60,
  },
  'document-busy': {
    status: 503,
    title: 'Too many documents or searches are being prepared at the same time.',
    retryAfterSeconds: 1,
  },
  'hosting-not-configured': { status: 503, title: 'Nothing is configured that could tell of this application.' },
  'hosting-unavailable': {
    status: 503,
    title: 'Whatever could tell of this application has failed.',
    retryAfterSeconds: 10,
  },
  'icon-unavailable': { status: 503, title: 'The icon could not be rendered.', retryAfterSeconds: 10 },
  'login-busy': { status: 503, title: 'Too many logins are being checked at the same time.', retryAfterSeconds: 2 },
  'mail-unavailable': {
    status: 503,
    title: 'The mail could not be sent; reason says why. The verification code was withdrawn.',
    reasons: ['server-unavailable'],
    retryAfterSeconds: 30,
  },
  'not-ready': { status: 503, title: 'A readiness check fails; detail names it.', retryAfterSeconds: 5 },
  'periods-timeout': {
    status: 503,
    title: 'Reading by settlement period took longer than its deadline.',
    retryAfterSeconds: 30,
  },
  'receipts-too-large': { status: 503, title: 'There are too many receipts for one response.' },
  'services-unavailable': {
    status: 503,
    title: 'Storage failed. After a write, it may have been committed: read the service before you retry.',
    retryAfterSeconds: 10,
  },
  'statistics-unavailable': {
    status: 503,
    title: 'The statistics cannot be read at the moment: they are unknown, not zero.',
    retryAfterSeconds: 60,
  },
  'tenant-status-unavailable': {
    status: 503,
    title: 'None of the sources of the tenant status could be read.',
    retryAfterSeconds: 10,
  },
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

/** Every status that problems of the code can have. */
export function statusesOfCode(code: ProblemCode): readonly number[] {
  const { status, otherStatus }: ProblemEntry = problems[code];
  return otherStatus === undefined ? [status] : [status, otherStatus];
}

/** The reasons of a code in the catalogue. */
export type ProblemReason<C extends ProblemCode> = (typeof problems)[C] extends {
  readonly reasons: readonly (infer R)[];
}
  ? R
  : never;

/** The same for a code that is known only at run time. */
export const reasonsOfCode = (code: ProblemCode): readonly string[] => (problems[code] as ProblemEntry).reasons ?? [];

export type FieldError = { readonly path: string; readonly message: string };

/** The extension members (RFC 9457, 3.2) of the problems that have some. Their schemas: http/openapi/problem-schema.ts. */
export type ProblemExtensions = {
  'already-reversed': {
    /** Null where the account does not show the link either. */
    readonly reversedByKid: string | null;
  };
  'booking-conflict': { readonly currentEventKid: string };
};

/** The codes of problems without extension members. */
export type PlainProblemCode = Exclude<ProblemCode, keyof ProblemExtensions>;

type ProblemDetails = {
  readonly reason?: string;
  /** A sentence for the client; never a stack, SQL or a file path. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the status of the catalogue. */
  readonly status?: number;
  /** In place of that of the catalogue; null: a retry cannot help. */
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

/** An expected failure of a request. It is thrown anywhere, and sent by src/http/error-reply.ts. */
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
    const { retryAfterSeconds } = this.details;
    if (retryAfterSeconds !== undefined) return retryAfterSeconds ?? undefined;
    const entry: ProblemEntry = problems[this.code];
    return entry.retryAfterSeconds;
  }
}
