// The problems of callers who are not authenticated (401) or lack a right (403).

import type { ProblemEntry } from './problem-entry.ts';

export const accessProblems = {
  unauthenticated: { status: 401, title: 'A valid bearer token for this host is required.' },
  'invalid-credentials': { status: 401, title: 'The user name or password is wrong.' },
  'invalid-enrolment-code': { status: 403, title: 'The enrolment code is unknown, expired, replaced or already used.' },
  forbidden: { status: 403, title: 'The manager lacks a right that this operation needs.' },
  'missing-services-tab': { status: 403, title: 'The manager lacks the Tab Services1.' },
  'missing-services-read': { status: 403, title: 'The manager lacks the permission Service.Read.' },
  'missing-services-write': { status: 403, title: 'The manager lacks the permission Service.Write.' },
  'missing-status-tab': { status: 403, title: 'The manager lacks the Tab TenantStatus1.' },
  'missing-bank-read': { status: 403, title: 'The manager lacks the permission Bank.Read.' },
  'missing-location-read': { status: 403, title: 'The manager lacks the permission Location.Read.' },
  'missing-unit-read': { status: 403, title: 'The manager lacks the permission Unit.Read.' },
  'missing-resource-access': {
    status: 403,
    title: 'The manager has no grant for any housing association or location.',
  },
  'missing-logs-tab': { status: 403, title: 'The manager lacks the Tab Logs1.' },
  'missing-hosting-tab': { status: 403, title: 'The manager lacks the Tab Hosting1.' },
  'missing-managers-read': { status: 403, title: 'The manager lacks the permission Managers.Read.' },
  'missing-tenant-access': { status: 403, title: 'The manager has no tenant-wide grant.' },
  'own-permissions': {
    status: 403,
    title: 'Only the sole active manager with a tenant-wide grant can change their own permissions.',
  },
} as const satisfies Record<string, ProblemEntry>;
