// The problems of requests that are invalid in themselves: 400.

import type { ProblemEntry } from './problem-entry.ts';

export const invalidRequestProblems = {
  'unknown-host': { status: 400, title: 'The request host does not belong to a tenant of this service.' },
  'invalid-request': { status: 400, title: 'The request is invalid.' },
  'invalid-kid': { status: 400, title: 'A KID is malformed, belongs to another tenant, or has the wrong type.' },
  'malformed-body': { status: 400, title: 'The request body is not well-formed JSON.' },
  'invalid-stream': {
    status: 400,
    title: 'The body is not JSON Lines with a valid header, or a line is too long: nothing of it was stored.',
  },
  'invalid-idempotency-key': { status: 400, title: 'Idempotency-Key must be 1 to 128 visible ASCII characters.' },
  'invalid-user': { status: 400, title: 'The resident, or the KID of the resident, is invalid.' },
  'invalid-page': { status: 400, title: 'The position, the size, the cursor or the revision of the page is invalid.' },
  'invalid-limit': { status: 400, title: 'The limit is out of range.' },
  'invalid-setting': { status: 400, title: 'The value of the setting, or the request body, is invalid.' },
  'invalid-filter': { status: 400, title: 'The filter is too long.' },
  'invalid-sort': { status: 400, title: 'The sort field or the direction is unknown.' },
  'invalid-service-kid': {
    status: 400,
    title: 'The KID is malformed, belongs to another tenant, or does not name a service.',
  },
  'invalid-service-profile': {
    status: 400,
    otherStatus: 413,
    title: 'The field, its value, or the request body is invalid, or the body is too large.',
  },
  'invalid-profile': { status: 400, title: 'The profile field, its value or the request body is invalid.' },
  'invalid-password': { status: 400, title: 'The current password is wrong, or the new one is not accepted.' },
  'invalid-code': { status: 400, title: 'The verification code is wrong, expired, replaced or already used.' },
  'invalid-hosting-selection': {
    status: 400,
    title: 'The environment, the application, the hours, or another query parameter is invalid.',
  },
  'invalid-logo-parameters': { status: 400, title: 'A parameter of the logo is invalid.' },
  'invalid-gradient-parameters': { status: 400, title: 'A parameter of the gradient is invalid.' },
  'invalid-circle-parameters': { status: 400, title: 'A parameter of the circle is invalid.' },
  'invalid-icon-parameters': { status: 400, title: 'A parameter of the icon is invalid.' },
} as const satisfies Record<string, ProblemEntry>;
