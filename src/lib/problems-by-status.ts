// The catalogue of problems: by status, then by code. A text alone is the title of the problem.

export type ProblemDescription = {
  readonly title: string;
  /** Replaces the status of the group. */
  readonly status?: number;
  /** A problem whose code replaces a general one has the status of the general one. */
  readonly otherStatus?: number;
  /** Every reason that a problem of the code can have; `forbidden` has those of the operation's access. */
  readonly reasons?: readonly string[];
  readonly retryAfterSeconds?: number;
};

export const problemGroups = {
  // Requests that are invalid in themselves.
  400: {
    'unknown-host': 'The request host does not belong to a tenant of this service.',
    'invalid-request': 'The request is invalid.',
    'invalid-kid': 'A KID is malformed, belongs to another tenant, or has the wrong type.',
    'malformed-body': 'The request body is not well-formed JSON.',
    'invalid-stream':
      'The body is not JSON Lines with a valid header, or a line is too long: nothing of it was stored.',
    'invalid-idempotency-key': 'Idempotency-Key must be 1 to 128 visible ASCII characters.',
    'invalid-user': 'The resident, or the KID of the resident, is invalid.',
    'invalid-page': 'The position, the size, the cursor or the revision of the page is invalid.',
    'invalid-limit': 'The limit is out of range.',
    'invalid-setting': 'The value of the setting, or the request body, is invalid.',
    'invalid-filter': 'The filter is too long.',
    'invalid-sort': 'The sort field or the direction is unknown.',
    'invalid-service-kid': 'The KID is malformed, belongs to another tenant, or does not name a service.',
    'invalid-service-profile': {
      title: 'The field, its value, or the request body is invalid, or the body is too large.',
      otherStatus: 413,
    },
    'invalid-profile': 'The profile field, its value or the request body is invalid.',
    'invalid-password': 'The current password is wrong, or the new one is not accepted.',
    'invalid-code': 'The verification code is wrong, expired, replaced or already used.',
    'invalid-hosting-selection': 'The environment, the application, the hours, or another query parameter is invalid.',
    'invalid-logo-parameters': 'A parameter of the logo is invalid.',
    'invalid-gradient-parameters': 'A parameter of the gradient is invalid.',
    'invalid-circle-parameters': 'A parameter of the circle is invalid.',
    'invalid-icon-parameters': 'A parameter of the icon is invalid.',
  },
  // Callers who are not authenticated.
  401: {
    unauthenticated: 'A valid bearer token for this host is required.',
    'invalid-credentials': 'The user name or password is wrong.',
  },
  // Callers who lack a right.
  403: {
    'invalid-enrolment-code': 'The enrolment code is unknown, expired, replaced or already used.',
    forbidden: 'The manager lacks a right that this operation needs.',
    'missing-services-tab': 'The manager lacks the Tab Services1.',
    'missing-services-read': 'The manager lacks the permission Service.Read.',
    'missing-services-write': 'The manager lacks the permission Service.Write.',
    'missing-status-tab': 'The manager lacks the Tab TenantStatus1.',
    'missing-bank-read': 'The manager lacks the permission Bank.Read.',
    'missing-location-read': 'The manager lacks the permission Location.Read.',
    'missing-unit-read': 'The manager lacks the permission Unit.Read.',
    'missing-resource-access': 'The manager has no grant for any housing association or location.',
    'missing-logs-tab': 'The manager lacks the Tab Logs1.',
    'missing-hosting-tab': 'The manager lacks the Tab Hosting1.',
    'missing-managers-read': 'The manager lacks the permission Managers.Read.',
    'missing-tenant-access': 'The manager has no tenant-wide grant.',
    'own-permissions': 'Only the sole active manager with a tenant-wide grant can change their own permissions.',
  },
  // Objects and routes that do not exist, or are not as the request expects: 404 to 416.
  404: {
    'not-found': 'The object does not exist or is not visible to the manager.',
    'release-not-found': 'The host offers no validated release for this architecture, or no file of this name.',
    'icon-not-found': 'There is no such icon set, or no set has the icon.',
    'unknown-route': 'There is no such route.',
  },
  405: { 'method-not-allowed': 'The route does not support this method.' },
  408: { 'request-timeout': 'The request did not arrive in time.' },
  409: {
    'address-conflict': 'The address has changed since this revision: read it again.',
    'already-reversed': 'The entry has already been reversed.',
    'booking-conflict': 'The booking has changed since it was read: read it again.',
    'booking-overlap': 'The time of the booking has been taken in the meantime.',
    'computer-conflict': 'The computer has changed since this revision: read it again.',
    'computer-name-taken': 'Another computer of the housing association has this name.',
    'computer-revoked': 'The computer was revoked.',
    'epoch-used': 'The stream has had this epoch before: begin another one.',
    'held-line-conflict': 'The held line has changed since this revision: read it again.',
    'held-line-ended': 'The held line has already been resolved or discarded.',
    'idempotency-in-progress': {
      title: 'The first request with this Idempotency-Key is still running.',
      retryAfterSeconds: 1,
    },
    'import-conflict': 'The import has changed since this revision: read it again.',
    'import-missing-rows':
      'More objects are missing in the file than a change from one file to the next explains: name their number.',
    'import-profile-conflict': 'The profile has changed since this revision, or exists already: read it again.',
    'installer-icon-conflict': 'The icon of the installer has changed since this revision: read it again.',
    'profile-conflict': 'The profile has changed since this revision: read it again.',
    'manager-conflict': 'The rights of the manager have changed since this revision: read them again.',
    'receipts-changed': 'The receipts have changed since this revision: start again with the first page.',
    'service-profile-conflict': 'The service has changed since this revision: read it again.',
    'setting-conflict': 'The setting has changed since this revision: read it again.',
    'status-context-changed':
      'The cursor belongs to another page size, language, manager or grant: start again with the first page.',
    'user-conflict': 'The resident has changed since this revision: read it again.',
    'user-exists': 'Another resident of the housing association has this email address.',
    'key-exists': 'Another resident has this key.',
    'stream-gap': 'Lines are missing before the first one: send again from the expected number.',
    'sync-conflict': 'The record for the device has another state now: read it again.',
    'unit-has-computer': 'A unit is connected through another computer.',
    'unknown-epoch': 'The stream is in another epoch: continue it, or begin a new one.',
  },
  410: {
    resync: 'The version is too old: read the snapshot.',
    'status-snapshot-expired': 'The snapshot of the cursor is no longer kept: start again with the first page.',
  },
  412: { 'precondition-failed': 'The file or the object has changed since what If-Match names: begin again.' },
  413: { 'payload-too-large': 'The request body is larger than the operation accepts.' },
  414: { 'uri-too-long': 'The request target is longer than the service accepts.' },
  415: { 'unsupported-media-type': 'The media type of the request body is not supported.' },
  416: { 'range-not-satisfiable': 'The range lies outside the file.' },
  // Valid requests that the state of the data does not allow.
  422: {
    'booking-ended': 'The booking has ended.',
    'booking-not-allowed': {
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
    'bank-full': 'The housing association has no id left for another resident.',
    'command-not-allowed': {
      title: 'The state of the resident does not allow the command; reason says why.',
      reasons: ['deleted', 'not-deleted', 'not-retained', 'not-active', 'not-disabled', 'too-many-keys', 'no-keys'],
    },
    'command-not-supported': 'Units of this type do not have this command.',
    'held-line-not-bookable': {
      title: 'The held line cannot be booked; reason says why.',
      reasons: [
        'malformed',
        'unknown-unit',
        'foreign-currency',
        'ref-conflict',
        'unknown-ref',
        'invalid-amount',
        'not-money',
        'booking-refused',
      ],
    },
    'no-activation-code': {
      status: 404,
      title: 'The resident has no valid activation code; reason says why.',
      reasons: ['deleted', 'disabled', 'used', 'expired', 'none'],
    },
    'export-too-large': 'The selection has more rows than an export can contain.',
    'document-too-large': 'The document has more data than one document can contain.',
    'no-numeric-data': 'The selected fields have no numeric data that a graph could show.',
    'too-many-series': 'A graph shows at most 16 series: select fewer fields.',
    'unsupported-unit-type': 'The type of the unit is unknown to this service.',
    'last-administrator': 'No manager would be left who can administer the managers of the tenant.',
    'search-too-large': 'The search covers too much: narrow it to one location.',
    'period-open': 'The settlement period is still open.',
    'not-reversible': {
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
        'refunded',
        'amount-out-of-range',
      ],
    },
    'charges-not-writable': 'The charges of the settlement cannot be written by the profile that is set for the bank.',
    'import-not-allowed': {
      title: 'The state of the import does not allow this; reason says why.',
      reasons: ['not-planned', 'nothing-applied', 'rows-refused', 'too-many-rows', 'ended', 'nothing-to-do'],
    },
    'too-many-profiles': 'The tenant has as many profiles of its own as it can have.',
    'read-only-setting': {
      title: 'The setting is a state, or cannot be written by managers; reason says which.',
      reasons: ['state', 'not-editable'],
    },
    'idempotency-mismatch': 'This Idempotency-Key was used for another request.',
  },
  // Limits: 429 and 431.
  429: {
    'too-many-attempts': { title: 'Too many wrong passwords.', retryAfterSeconds: 60 },
    'too-many-verifications': {
      title: 'Too many verification codes were requested in an hour.',
      retryAfterSeconds: 3600,
    },
    'too-many-renewals': {
      title: 'The activation code of the resident was renewed ten times in an hour.',
      retryAfterSeconds: 3600,
    },
    'too-many-renders': {
      title: 'Too many images of this kind are being rendered at the same time.',
      retryAfterSeconds: 1,
    },
    'stream-busy': {
      title: 'Another request of this stream, or too many of all streams, are being handled.',
      retryAfterSeconds: 1,
    },
    'uploads-busy': {
      title: 'Too many uploads of this manager, or of all managers, are running at the same time.',
      retryAfterSeconds: 5,
    },
    'too-many-requests': { title: 'The rate limit is used up.', retryAfterSeconds: 60 },
    'unread-answers': {
      title: 'This client has too many unread responses: it must read them first.',
      retryAfterSeconds: 5,
    },
  },
  431: { 'header-too-large': 'The request header fields are larger than the service accepts.' },
  // Failures, and what is unavailable.
  500: { 'internal-error': 'The service failed to handle this request.' },
  501: { 'unsupported-transfer-coding': 'The service supports no transfer coding of requests other than chunked.' },
  503: {
    'clock-behind': {
      title: 'The clock of the service is behind the last recorded time: nothing is recorded until it is right again.',
      retryAfterSeconds: 60,
    },
    'document-busy': {
      title: 'Too many documents or searches are being prepared at the same time.',
      retryAfterSeconds: 1,
    },
    'hosting-not-configured': 'No source of information about this application is configured.',
    'hosting-unavailable': {
      title: 'Every source of information about this application has failed.',
      retryAfterSeconds: 10,
    },
    'icon-unavailable': { title: 'The icon could not be rendered.', retryAfterSeconds: 10 },
    'login-busy': { title: 'Too many logins are being checked at the same time.', retryAfterSeconds: 2 },
    'mail-unavailable': {
      title: 'The mail could not be sent; reason says why. The verification code was withdrawn.',
      reasons: ['server-unavailable'],
      retryAfterSeconds: 30,
    },
    'not-ready': { title: 'A readiness check fails; detail names it.', retryAfterSeconds: 5 },
    'periods-timeout': { title: 'Reading by settlement period took longer than its deadline.', retryAfterSeconds: 30 },
    'receipts-too-large': 'There are too many receipts for one response.',
    'services-unavailable': {
      title: 'Storage failed. A write may still have been committed: read the service before you retry.',
      retryAfterSeconds: 10,
    },
    'statistics-unavailable': {
      title: 'The statistics cannot be read at the moment: they are unknown, not zero.',
      retryAfterSeconds: 60,
    },
    'tenant-status-unavailable': {
      title: 'None of the sources of the tenant status could be read.',
      retryAfterSeconds: 10,
    },
    'storage-busy': { title: 'Too many of these reads are running at the same time.', retryAfterSeconds: 1 },
    'storage-timeout': { title: 'Storage took longer than the deadline.', retryAfterSeconds: 10 },
    'storage-text-comparison': 'Storage could not compare texts of different collations.',
    'storage-unavailable': { title: 'Storage is unavailable.', retryAfterSeconds: 10 },
    'storage-outcome-unknown': 'The write may have been committed: read the object before you retry.',
  },
} as const satisfies Readonly<Record<number, Readonly<Record<string, string | ProblemDescription>>>>;
