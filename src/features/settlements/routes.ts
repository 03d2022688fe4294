// GetBankSettlements, GetBankSettlementPeriod and DownloadBankSettlement. They read, and change nothing.

import { defineManagerOperation, type OperationAccess, type Operation } from '../../http/operation.ts';
import { Problem } from '../../lib/problem.ts';
import { downloadBankSettlement } from './operations/download-bank-settlement.ts';
import { getBankSettlementPeriod, getBankSettlements } from './operations/get-bank-settlement-period.ts';
import {
  parsePeriod,
  SettlementParams,
  SettlementPeriodAnswer,
  SettlementsAnswer,
  SettlementsParams,
  settlementMediaTypes,
} from './schemas.ts';

const settlementsAccess: OperationAccess = { tabs: ['Account2'], permissions: ['Bank.Read'], grantLevel: 'bank' };
const deadlineMs = 10_000;

function parsePeriodParameter(text: string): number {
  const period = parsePeriod(text);
  if (period !== undefined) return period;
  const message = 'must be a 32-bit number';
  throw new Problem('invalid-request', {
    detail: `path.period ${message}`,
    errors: [{ path: 'path.period', message }],
  });
}

export function settlementsRoutes(): Operation[] {
  return [
    defineManagerOperation({
      id: 'GetBankSettlements',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/settlements',
      documents: ['portal'],
      group: 'Settlements',
      summary: 'List a bank’s settlement periods with their totals',
      description: 'Every period there was, newest first; the current one on top, whose totals are provisional.',
      access: settlementsAccess,
      params: SettlementsParams,
      response: SettlementsAnswer,
      problemCodes: ['not-found'],
      deadlineMs,
      run: ({ params: { bankKid } }, context) =>
        context.read((db) => getBankSettlements(db, context.scope, bankKid.bankId, context.now)),
    }),
    defineManagerOperation({
      id: 'GetBankSettlementPeriod',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/settlements/{period}',
      documents: ['portal'],
      group: 'Settlements',
      summary: 'Read one settlement period by location and by kind',
      access: settlementsAccess,
      params: SettlementParams,
      response: SettlementPeriodAnswer,
      problemCodes: ['not-found'],
      deadlineMs,
      run: ({ params: { bankKid, period } }, context) => {
        const number = parsePeriodParameter(period);
        return context.read((db) => getBankSettlementPeriod(db, context.scope, bankKid.bankId, number, context.now));
      },
    }),
    defineManagerOperation({
      id: 'DownloadBankSettlement',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/settlements/{period}/download.zip',
      documents: ['downloads'],
      group: 'Settlements',
      summary: 'Download a closed settlement period',
      description:
        'A ZIP of postings.csv, residents.csv, totals.csv and manifest.json, which tells what the others come to. It is the same, byte for byte, whenever it is downloaded, until an identity in it expires.',
      access: settlementsAccess,
      params: SettlementParams,
      downloadTypes: settlementMediaTypes,
      problemCodes: ['not-found', 'period-open'],
      deadlineMs,
      run: ({ params: { bankKid, period } }, context) =>
        downloadBankSettlement(context, bankKid.bankId, parsePeriodParameter(period)),
    }),
  ];
}
