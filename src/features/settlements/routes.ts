// Declares GetBankSettlements, GetBankSettlementPeriod, GetBankSettlementHtml and DownloadBankSettlement.

import { BankParams } from '../places/schemas.ts';
import { defineManagerOperation, type OperationAccess, type Operation } from '../../http/operations/operation.ts';
import { download, jsonOf, preparedFile } from '../../http/operations/response.ts';
import { downloadBankSettlement } from './operations/download-bank-settlement.ts';
import { getBankSettlementHtml } from './operations/get-bank-settlement-html.ts';
import { getBankSettlementPeriod } from './operations/get-bank-settlement-period.ts';
import { getBankSettlements } from './operations/get-bank-settlements.ts';
import { SettlementParams, SettlementPeriodDetail, SettlementHistory, settlementMediaTypes } from './schemas.ts';

const settlementsAccess: OperationAccess = { tabs: ['Account2'], permissions: ['Bank.Read'], grantLevel: 'bank' };
/** The archive names residents and holds every posting, as the account does. */
const archiveAccess: OperationAccess = {
  ...settlementsAccess,
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'],
};
const common = {
  method: 'GET',
  openApiDocuments: ['portal'],
  group: 'Settlements',
  access: settlementsAccess,
  deadlineMs: 10_000,
} as const;

export const settlementsRoutes = (): Operation[] => [
  defineManagerOperation({
    ...common,
    id: 'GetBankSettlements',
    path: '/api/v1/banks/{bankKid}/settlements',
    summary: 'List a bank’s settlement periods with their totals',
    description: 'All settlement periods, newest first. The current period comes first; its totals are provisional.',
    params: BankParams,
    response: jsonOf(SettlementHistory),
    problemCodes: ['not-found'],
    run: ({ params }, context) => getBankSettlements(context, params),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetBankSettlementPeriod',
    path: '/api/v1/banks/{bankKid}/settlements/{period}',
    summary: 'Read one settlement period by location and by kind',
    description:
      'The totals of the period as in GetBankSettlements, divided by location and by kind of posting. Period 0 is the current one; its totals are provisional.',
    params: SettlementParams,
    response: jsonOf(SettlementPeriodDetail),
    problemCodes: ['not-found'],
    run: ({ params }, context) => getBankSettlementPeriod(context, params),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetBankSettlementHtml',
    path: '/api/v1/banks/{bankKid}/settlements/{period}/settlement.html',
    summary: 'Read one settlement period as a page to print',
    description:
      'The totals of GetBankSettlementPeriod as a page for screens and A4 paper, without scripts, in the language of Accept-Language.',
    params: SettlementParams,
    response: preparedFile(['text/html'], { headers: ['Content-Disposition', 'Content-Security-Policy'] }),
    problemCodes: ['not-found'],
    localised: true,
    run: ({ params }, context) => getBankSettlementHtml(context, params),
  }),
  defineManagerOperation({
    ...common,
    id: 'DownloadBankSettlement',
    path: '/api/v1/banks/{bankKid}/settlements/{period}/download.zip',
    openApiDocuments: ['downloads'],
    summary: 'Download a closed settlement period',
    description:
      'A ZIP of postings.csv, residents.csv, totals.csv and manifest.json (row counts, sizes and SHA-256 of the other files). With a profile of charges (the command `charges`), charges.csv has what the settlement moves to the rent of each resident. Money is in minor units, and also in the major unit of its currency with a decimal point. Residents have the names that they had when the period was closed. Repeated downloads are byte-for-byte identical until an identity in the archive expires, or the charges are written in another way.',
    access: archiveAccess,
    params: SettlementParams,
    response: download(settlementMediaTypes),
    problemCodes: ['not-found', 'period-open', 'charges-not-writable'],
    run: ({ params }, context) => downloadBankSettlement(context, params),
  }),
];
