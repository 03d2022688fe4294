// GetBankSettlements, GetBankSettlementPeriod and DownloadBankSettlement. They read, and change nothing.

import { managerOperation, type Access, type Operation } from '../../http/operation.ts';
import { Problem } from '../../lib/problem.ts';
import { downloadSettlement } from './archive.ts';
import { readSettlementPeriod, readSettlements } from './read.ts';
import {
  periodOf,
  SettlementParams,
  SettlementPeriodAnswer,
  SettlementsAnswer,
  SettlementsParams,
  settlementTypes,
} from './schemas.ts';

const access: Access = { tabs: ['Account2'], permissions: ['Bank.Read'], breadth: 'bank' };
const deadlineMs = 10_000;

function asked(text: string): number {
  const period = periodOf(text);
  if (period !== undefined) return period;
  const message = 'must be a 32-bit number';
  throw new Problem('invalid-request', {
    detail: `path.period ${message}`,
    errors: [{ path: 'path.period', message }],
  });
}

export function settlementsRoutes(): Operation[] {
  return [
    managerOperation({
      id: 'GetBankSettlements',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/settlements',
      documents: ['portal'],
      group: 'Settlements',
      summary: 'List a bank’s settlement periods with their totals',
      description: 'Every period there was, newest first; the current one on top, whose totals are provisional.',
      access,
      params: SettlementsParams,
      answer: SettlementsAnswer,
      problems: ['not-found'],
      deadlineMs,
      run: ({ params: { bankKid } }, door) =>
        door.read((db) => readSettlements(db, door.scope, bankKid.bankId, door.now())),
    }),
    managerOperation({
      id: 'GetBankSettlementPeriod',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/settlements/{period}',
      documents: ['portal'],
      group: 'Settlements',
      summary: 'Read one settlement period by location and by kind',
      access,
      params: SettlementParams,
      answer: SettlementPeriodAnswer,
      problems: ['not-found'],
      deadlineMs,
      run: ({ params: { bankKid, period } }, door) => {
        const number = asked(period);
        return door.read((db) => readSettlementPeriod(db, door.scope, bankKid.bankId, number, door.now()));
      },
    }),
    managerOperation({
      id: 'DownloadBankSettlement',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/settlements/{period}/download.zip',
      documents: ['downloads'],
      group: 'Settlements',
      summary: 'Download a closed settlement period',
      description:
        'A ZIP of postings.csv, residents.csv, totals.csv and manifest.json, which tells what the others come to. It is the same, byte for byte, whenever it is downloaded, until an identity in it expires.',
      access,
      params: SettlementParams,
      files: settlementTypes,
      problems: ['not-found', 'period-open'],
      deadlineMs,
      run: ({ params: { bankKid, period } }, door) => downloadSettlement(door, bankKid.bankId, asked(period)),
    }),
  ];
}
