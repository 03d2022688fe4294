// The problems of limits (429, 431), of failures (500, 501) and of what is unavailable (503).

import type { ProblemEntry } from './problem-entry.ts';

export const limitAndFailureProblems = {
  'too-many-attempts': { status: 429, title: 'Too many wrong passwords.', retryAfterSeconds: 60 },
  'too-many-verifications': {
    status: 429,
    title: 'Too many verification codes were requested in an hour.',
    retryAfterSeconds: 3600,
  },
  'too-many-renewals': {
    status: 429,
    title: 'The activation code of the resident was renewed ten times in an hour.',
    retryAfterSeconds: 3600,
  },
  'too-many-renders': {
    status: 429,
    title: 'Too many images of this kind are being rendered at the same time.',
    retryAfterSeconds: 1,
  },
  'stream-busy': {
    status: 429,
    title: 'Another request of this stream, or too many of all streams, are being handled.',
    retryAfterSeconds: 1,
  },
  'uploads-busy': {
    status: 429,
    title: 'Too many uploads of this manager, or of all managers, are running at the same time.',
    retryAfterSeconds: 5,
  },
  'too-many-requests': { status: 429, title: 'The rate limit is used up.', retryAfterSeconds: 60 },
  'unread-answers': {
    status: 429,
    title: 'This client has too many unread responses: it must read them first.',
    retryAfterSeconds: 5,
  },
  'header-too-large': { status: 431, title: 'The request header fields are larger than the service accepts.' },
  'internal-error': { status: 500, title: 'The service failed to handle this request.' },
  'unsupported-transfer-coding': {
    status: 501,
    title: 'The service supports no transfer coding of requests other than chunked.',
  },
  'clock-behind': {
    status: 503,
    title: 'The clock of the service is behind the last recorded time: nothing is recorded until it is right again.',
    retryAfterSeconds: 60,
  },
  'document-busy': {
    status: 503,
    title: 'Too many documents or searches are being prepared at the same time.',
    retryAfterSeconds: 1,
  },
  'hosting-not-configured': { status: 503, title: 'No source of information about this application is configured.' },
  'hosting-unavailable': {
    status: 503,
    title: 'Every source of information about this application has failed.',
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
    title: 'Storage failed. A write may still have been committed: read the service before you retry.',
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
