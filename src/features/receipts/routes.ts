// Declares GetUserReceipts.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';
import { createBankDataCache } from './process/bank-data-cache.ts';
import { getUserReceipts } from './operations/get-user-receipts.ts';
import { createPageCache } from './process/page-cache.ts';
import { createReadSizeEstimate } from './process/read-size-estimate.ts';
import { ReceiptPage, ReceiptsParams, ReceiptsQuery } from './schemas.ts';

/** In one process. */
const maxConcurrentReads = 2;

/** A read waits for other reads for at most `maxWaitMs`. */
export function receiptsRoutes(maxWaitMs = 1000): Operation[] {
  const dependencies = {
    queue: new FairQueue({
      maxConcurrent: maxConcurrentReads,
      maxWaitMs,
      createRefusal: () => new Problem('storage-busy'),
    }),
    bankCache: createBankDataCache(),
    pageCache: createPageCache(),
    readSizeEstimate: createReadSizeEstimate(),
  };
  return [
    defineManagerOperation({
      id: 'GetUserReceipts',
      method: 'GET',
      path: '/api/v1/users/{userKid}/receipts',
      openApiDocuments: ['portal'],
      group: 'Residents',
      summary: 'Read a resident’s receipts',
      description:
        'A receipt groups the postings of one local day, location, kind, settlement period and currency. Documents with total 0 and monthly entries are omitted. Pages have 20 receipts: request the first page without `revision`, further pages with `nextOffset` and `revision`; start again after 409. Covers the current period and the latest 24 closed ones, within the tenant’s retention of accounts and of surveillance; the manager’s RetentionDays replaces both. A deleted resident is visible for the manager’s RetentionDays.',
      access: { tabs: ['Users2'], permissions: ['Bank.Read', 'User.Read'], grantLevel: 'bank' },
      params: ReceiptsParams,
      query: ReceiptsQuery,
      response: jsonOf(ReceiptPage),
      validationProblem: { path: 'invalid-user', query: 'invalid-page' },
      problemCodes: ['not-found', 'receipts-changed', 'receipts-too-large', 'storage-busy'],
      localised: true,
      deadlineMs: 12_000,
      run: ({ params, query }, context) => getUserReceipts(context, { ...params, ...query }, dependencies),
    }),
  ];
}
