// The schema of problems.

import { Type } from 'typebox';

const FieldErrorSchema = Type.Object({
  path: Type.String({ description: 'For example `query.Limit`.' }),
  message: Type.String(),
});

/** The body of every error (RFC 9457). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A URN that ends in the code.' }),
    title: Type.String({ description: 'Short text for the code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    code: Type.String({ description: 'Stable machine-readable code.' }),
    reason: Type.Optional(
      Type.String({ description: 'Stable machine-readable reason, if the code has several reasons.' }),
    ),
    detail: Type.String({ description: 'What is wrong with this request, as a sentence.' }),
    traceId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Id of the trace in the service’s log.' }),
    errors: Type.Optional(Type.Array(FieldErrorSchema, { description: 'The invalid fields of the request.' })),
  },
  { $id: 'Problem' },
);
