// GetUserReceipts.

import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { guestUserId } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { createReadSizeEstimate } from './read-size-estimate.ts';
import { createBankCache } from './bank-cache.ts';
import { createPageCache } from './page-cache.ts';
import { getUserReceipts } from './operations/get-user-receipts.ts';
import { ReceiptsAnswer, ReceiptsParams, ReceiptsQuery } from './schemas.ts';

/** Reads that may be at work at once in a process. */
const maxConcurrentReads = 2;

export function receiptsRoutes(): Operation[] {
  const concurrencyLimit = new ConcurrencyLimit(maxConcurrentReads, () => new Problem('storage-busy'));
  const dependencies = {
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
        'A receipt holds what was posted on one local day at one location, of one kind, settlement period and currency; documents that come to nothing and monthly lines are on none. Pages of 20: begin without a revision, go on with `nextOffset` and `revision`, begin again after a 409. Current period and the latest 24, as far as identities are kept; a deleted resident is shown for the manager’s RetentionDays.',
      access: { tabs: ['Users2'], permissions: ['Bank.Read', 'User.Read'], grantLevel: 'bank' },
      params: ReceiptsParams,
      query: ReceiptsQuery,
      response: ReceiptsAnswer,
      validationProblem: { path: 'invalid-user', query: 'invalid-page' },
      problemCodes: ['not-found', 'receipts-changed', 'receipts-too-large', 'storage-busy'],
      localised: true,
      deadlineMs: 12_000,
      run: async ({ params: { userKid }, query: { offset, revision } }, context) => {
        if (userKid.userId <= guestUserId)
          throw createInvalidInputProblem('invalid-user', 'path.userKid', 'names no resident');
        if (offset > 0 && revision === undefined)
          throw createInvalidInputProblem('invalid-page', 'query.revision', 'is needed beyond the first page');
        return concurrencyLimit.run(() =>
          context.read((db) => getUserReceipts(db, context, dependencies, { userKid, offset, revision })),
        );
      },
    }),
  ];
}

const createInvalidInputProblem = (code: 'invalid-user' | 'invalid-page', path: string, message: string): Problem =>
  new Problem(code, { detail: `${path} ${message}`, errors: [{ path, message }] });
