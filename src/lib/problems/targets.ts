// The problems of requests whose object or route does not exist, or is not as the request expects: 404 to 416.

import type { ProblemEntry } from './problem-entry.ts';

export const targetProblems = {
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
  'computer-conflict': { status: 409, title: 'The computer has changed since this revision: read it again.' },
  'computer-name-taken': { status: 409, title: 'Another computer of the housing association has this name.' },
  'computer-revoked': { status: 409, title: 'The computer was revoked.' },
  'epoch-used': { status: 409, title: 'The stream has had this epoch before: begin another one.' },
  'held-line-conflict': { status: 409, title: 'The held line has changed since this revision: read it again.' },
  'held-line-ended': { status: 409, title: 'The held line has already been resolved or discarded.' },
  'idempotency-in-progress': {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running.',
    retryAfterSeconds: 1,
  },
  'import-conflict': { status: 409, title: 'The import has changed since this revision: read it again.' },
  'import-missing-rows': {
    status: 409,
    title: 'More objects are missing in the file than a change from one file to the next explains: name their number.',
  },
  'import-profile-conflict': {
    status: 409,
    title: 'The profile has changed since this revision, or exists already: read it again.',
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
    title: 'The cursor belongs to another page size, language, manager or grant: start again with the first page.',
  },
  'user-conflict': { status: 409, title: 'The resident has changed since this revision: read it again.' },
  'user-exists': { status: 409, title: 'Another resident of the housing association has this email address.' },
  'key-exists': { status: 409, title: 'Another resident has this key.' },
  'stream-gap': { status: 409, title: 'Lines are missing before the first one: send again from the expected number.' },
  'sync-conflict': { status: 409, title: 'The record for the device has another state now: read it again.' },
  'unit-has-computer': { status: 409, title: 'A unit is connected through another computer.' },
  'unknown-epoch': { status: 409, title: 'The stream is in another epoch: continue it, or begin a new one.' },
  resync: { status: 410, title: 'The version is too old: read the snapshot.' },
  'status-snapshot-expired': {
    status: 410,
    title: 'The snapshot of the cursor is no longer kept: start again with the first page.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The file or the object has changed since what If-Match names: begin again.',
  },
  'payload-too-large': { status: 413, title: 'The request body is larger than the operation accepts.' },
  'uri-too-long': { status: 414, title: 'The request target is longer than the service accepts.' },
  'unsupported-media-type': { status: 415, title: 'The media type of the request body is not supported.' },
  'range-not-satisfiable': { status: 416, title: 'The range lies outside the file.' },
} as const satisfies Record<string, ProblemEntry>;
