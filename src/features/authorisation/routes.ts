// Declares AuthoriseUse.

import { defineComputerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { authoriseUse } from './operations/authorise-use.ts';
import { UseAuthorisation, UseRequest } from './schemas.ts';

export const authorisationRoutes = (): Operation[] => [
  defineComputerOperation({
    openApiDocuments: ['equipment'],
    group: 'Equipment',
    id: 'AuthoriseUse',
    method: 'POST',
    path: '/equipment/v1/authorise',
    summary: 'Ask whether the holder of a key may use a unit now',
    description:
      'Changes nothing. Has the resident’s KID, but no name. Every key that nobody of the bank has gets the same answer, and so does every unit that is not one of the computer. Without a connection, the settings OfflineAuthorisation and OfflineLimit of the unit apply.',
    body: UseRequest,
    maxBodyBytes: 4096,
    response: jsonOf(UseAuthorisation),
    isPolled: true,
    deadlineMs: 10_000,
    run: ({ body }, context) => authoriseUse(context, body),
  }),
];
