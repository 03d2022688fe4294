// GetUserReceipts.

import { managerOperation, type Operation } from '../../http/operation.ts';
import { Gate } from '../../lib/gate.ts';
import { guestUserId } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { habits } from './habits.ts';
import { knownBanks } from './known-banks.ts';
import { knownPages } from './known-pages.ts';
import { readReceipts } from './read.ts';
import { ReceiptsAnswer, ReceiptsParams, ReceiptsQuery } from './schemas.ts';

/** Reads that may be at work at once in a process. */
const places = 2;

export function receiptsRoutes(): Operation[] {
  const gate = new Gate(places, () => new Problem('storage-busy'));
  const known = { banks: knownBanks(), pages: knownPages(), habits: habits() };
  return [
    managerOperation({
      id: 'GetUserReceipts',
      method: 'GET',
      path: '/api/v1/users/{userKid}/receipts',
      documents: ['portal'],
      group: 'Residents',
      summary: 'Read a resident’s receipts',
      description:
        'A receipt holds what was posted on one local day at one location, of one kind, settlement period and currency; documents that come to nothing and monthly lines are on none. Pages of 20: begin without a revision, go on with `nextOffset` and `revision`, begin again after a 409. Current period and the latest 24, as far as identities are kept; a deleted resident is shown for the manager’s RetentionDays.',
      access: { tabs: ['Users2'], permissions: ['Bank.Read', 'User.Read'], breadth: 'bank' },
      params: ReceiptsParams,
      query: ReceiptsQuery,
      answer: ReceiptsAnswer,
      invalid: { path: 'invalid-user', query: 'invalid-page' },
      problems: ['not-found', 'receipts-changed', 'receipts-too-large', 'storage-busy'],
      localised: true,
      deadlineMs: 12_000,
      run: async ({ params: { userKid: user }, query: { offset, revision } }, door) => {
        if (user.userId <= guestUserId) throw invalid('invalid-user', 'path.userKid', 'names no resident');
        if (offset > 0 && revision === undefined)
          throw invalid('invalid-page', 'query.revision', 'is needed beyond the first page');
        return gate.hold(() => door.read((db) => readReceipts(db, door, known, { user, offset, revision })));
      },
    }),
  ];
}

const invalid = (code: 'invalid-user' | 'invalid-page', path: string, message: string): Problem =>
  new Problem(code, { detail: `${path} ${message}`, errors: [{ path, message }] });
