// Declares GetUserReceipts.

import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { Problem } from '../../lib/problem.ts';
import { createBankCache } from './bank-cache.ts';
import { getUserReceipts } from './operations/get-user-receipts.ts';
import { createPageCache } from './page-cache.ts';
import { createReadSizeEstimate } from './read-size-estimate.ts';
import { ReceiptsAnswer, ReceiptsParams, ReceiptsQuery } from './schemas.ts';

/** In one process. */
const maxConcurrentReads = 2;

export function receiptsRoutes(): Operation[] {
  const dependencies = {
    concurrencyLimit: new ConcurrencyLimit(maxConcurrentReads, () => new Problem('storage-busy')),
    bankCache: createBankCache(),
    pageCache: createPageCache(),
    readSizeEstimate: createReadSizeEstimate(),
  };
  return [
    defineManagerOperation({
      id: 'GetUserReceipts',
      method: 'GET',
      path: '/api/v1/users/{userKid}/receipts',
      documents: ['portal'],
      group: 'Residents',
      summary: 'Read a resident’s receipts',
      description:
        'A receipt groups the postings of one local day, location, kind, settlement period and currency. Documents with total 0 and monthly entries are omitted. Pages have 20 receipts: request the first page without `revision`, further pages with `nextOffset` and `revision`; start again after 409. Covers the current period and the latest 24 closed ones, within the retention of identities. A deleted resident is visible for the manager’s RetentionDays.',
      access: { tabs: ['Users2'], permissions: ['Bank.Read', 'User.Read'], grantLevel: 'bank' },
      params: ReceiptsParams,
      query: ReceiptsQuery,
      response: ReceiptsAnswer,
      validationProblem: { path: 'invalid-user', query: 'invalid-page' },
      problemCodes: ['not-found', 'receipts-changed', 'receipts-too-large', 'storage-busy'],
      localised: true,
      deadlineMs: 12_000,
      run: ({ params, query }, context) => getUserReceipts(context, { ...params, ...query }, dependencies),
    }),
  ];
}
