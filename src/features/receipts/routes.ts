// Declares GetUserReceipts and GetUserReceiptsHtml.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf, preparedFile } from '../../http/operations/response.ts';
import { FairQueue } from '../../lib/queues/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';
import { createBankDataCache } from './process/bank-data-cache.ts';
import { getUserReceipts } from './operations/get-user-receipts.ts';
import { getUserReceiptsHtml } from './operations/get-user-receipts-html.ts';
import { createPageCache } from './process/page-cache.ts';
import { createReadSizeEstimate } from './process/read-size-estimate.ts';
import { ReceiptPage, ReceiptsHtmlQuery, ReceiptsParams, ReceiptsQuery } from './schemas.ts';

/** In one process. */
const maxConcurrentReads = 2;

const common = {
  method: 'GET',
  openApiDocuments: ['portal'],
  group: 'Residents',
  access: { tabs: ['Users2'], permissions: ['Bank.Read', 'User.Read'], grantLevel: 'bank' },
  params: ReceiptsParams,
  validationProblem: { path: 'invalid-user', query: 'invalid-page' },
  problemCodes: ['not-found', 'receipts-changed', 'receipts-too-large', 'storage-busy'],
  localised: true,
  deadlineMs: 12_000,
} as const;

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
      ...common,
      id: 'GetUserReceipts',
      path: '/api/v1/users/{userKid}/receipts',
      summary: 'Read a resident’s receipts',
      description:
        'A receipt groups the postings of one local day, location, kind, settlement period and currency. Documents with total 0 and monthly entries are omitted. Pages have 20 receipts: request the first page without `revision`, further pages with `nextOffset` and `revision`; start again after 409. Covers the current period and the latest 24 closed ones, within the tenant’s retention of accounts and of surveillance; the manager’s RetentionDays replaces both. A deleted resident is visible for the manager’s RetentionDays.',
      query: ReceiptsQuery,
      response: jsonOf(ReceiptPage),
      run: ({ params, query }, context) => getUserReceipts(context, { ...params, ...query }, dependencies),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetUserReceiptsHtml',
      path: '/api/v1/users/{userKid}/receipts.html',
      summary: 'Read a resident’s receipts as a page to print',
      description:
        'The page of GetUserReceipts with the same `offset` and `revision`, or the one receipt of it that `key` names (404 if it is not on that page): for screens and A4 paper, without scripts, in the language of Accept-Language.',
      query: ReceiptsHtmlQuery,
      response: preparedFile(['text/html'], { headers: ['Content-Disposition', 'Content-Security-Policy'] }),
      run: ({ params, query }, context) => getUserReceiptsHtml(context, { ...params, ...query }, dependencies),
    }),
  ];
}
