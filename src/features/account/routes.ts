// Declares GetBankAccount, GetBankAccountRevision, ExportBankAccount and ReverseBankAccountEntry.

import { BankParams } from '../places/schemas.ts';
import type { Databases } from '../../database/databases.ts';
import {
  defineManagerOperation,
  type MissingRightProblem,
  type OperationAccess,
  type Operation,
} from '../../http/operations/operation.ts';
import { download, jsonOf } from '../../http/operations/response.ts';
import { numberFormat } from '../../lib/time/intl-formats.ts';
import type { Problem } from '../../lib/problem.ts';
import { missingPermissionReason, missingRightReason, type MissingRight } from '../../permissions/needs.ts';
import { createXlsWriter } from '../../providers/spreadsheet/xls-writer.ts';
import { createBankDisplayCache } from './process/bank-display-cache.ts';
import { maxXlsRows } from './read-export-snapshot.ts';
import { exportBankAccount, exportMediaTypes } from './operations/export-bank-account.ts';
import { getBankAccountRevision } from './operations/get-bank-account-revision.ts';
import { getBankAccount } from './operations/get-bank-account.ts';
import { reverseBankAccountEntry } from './operations/reverse-bank-account-entry.ts';
import { createRevisionCache } from './process/revision-cache.ts';
import {
  AccountPage,
  AccountQuery,
  AccountRevision,
  AccountRevisionQuery,
  AccountExportParams,
  AccountExportQuery,
  Reversal,
  ReversalParams,
  ReversalQuery,
} from './schemas.ts';

const common = { openApiDocuments: ['portal'], group: 'Account', deadlineMs: 10_000 } as const;
const readProblemCodes: Problem['code'][] = ['periods-timeout', 'storage-timeout', 'storage-text-comparison'];

/** A manager without any grant can see no bank. */
const createMissingRightProblem = (missing: MissingRight): MissingRightProblem => ({
  code: 'forbidden',
  reason: missing.kind === 'scope' ? missingPermissionReason('Bank.Read') : missingRightReason(missing),
});

const readAccess: OperationAccess = {
  tabs: ['Account2'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'],
  grantLevel: 'location',
  missingRightProblem: createMissingRightProblem,
};

const reversalOperation = defineManagerOperation({
  ...common,
  id: 'ReverseBankAccountEntry',
  method: 'POST',
  path: '/api/v1/banks/{bankKid}/account/{transactionKid}/reversal',
  summary: 'Reverse an account entry',
  description:
    'Appends a compensating entry in the current period and queues it for the devices. The response does not say whether a device has received it. Each entry can be reversed once (then 409 with the KID of its reversal). Only consumption of a resident with an internal tag can be reversed, and not what the device has refunded in part: its reversal would give back more than was charged.',
  access: {
    tabs: ['Account2'],
    permissions: ['Bank.Write', 'User.Write', 'Location.Read', 'Unit.Read'],
    grantLevel: 'bank',
  },
  params: ReversalParams,
  query: ReversalQuery,
  response: jsonOf(Reversal),
  problemCodes: ['not-found', 'already-reversed', 'not-reversible'],
  localised: true,
  acceptsIdempotencyKey: true,
  run: ({ params, query }, context) => reverseBankAccountEntry(context, { ...params, ...query }),
});

export function accountRoutes({ databases }: { readonly databases: Databases }): Operation[] {
  const dependencies = {
    bankDisplayCache: createBankDisplayCache(),
    revisionCache: createRevisionCache(databases),
    writeXls: createXlsWriter(),
  };
  return [
    defineManagerOperation({
      ...common,
      id: 'GetBankAccount',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account',
      summary: 'Read a bank’s consumption account',
      description:
        'Rows newest first, then by location and unit; totals per currency of all selected postings. Location grants limit rows, totals and choices. Not cached. Pages that follow `nextCursor` have the rows that there were at the first page, however many; totals and revision are current. Any period can be requested: one that does not exist returns no rows, with its number as `period`, and is not in `periods`.',
      access: readAccess,
      params: BankParams,
      query: AccountQuery,
      response: jsonOf(AccountPage),
      problemCodes: readProblemCodes,
      localised: true,
      run: ({ params: { bankKid }, query }, context) => getBankAccount(context, { bankKid, query }, dependencies),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetBankAccountRevision',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account/revision',
      summary: 'Read the revision of an account selection',
      description:
        'Poll at most every 30 seconds. Requests with the same selection and rights share one result for 30 seconds.',
      access: readAccess,
      params: BankParams,
      query: AccountRevisionQuery,
      response: jsonOf(AccountRevision),
      problemCodes: readProblemCodes,
      run: ({ params: { bankKid }, query }, context) =>
        getBankAccountRevision(context, { bankKid, query }, dependencies),
    }),
    defineManagerOperation({
      ...common,
      id: 'ExportBankAccount',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account/export.{format}',
      openApiDocuments: ['downloads'],
      summary: 'Download an account selection as CSV or XLS',
      description: `The rows of GetBankAccount at the time the download started: any number as CSV, at most ${numberFormat('en', {}).format(maxXlsRows)} as XLS. Amounts are exact in minor units; local times are in TimeZone. The decimals of the CSV have a point: a spreadsheet whose region has a decimal comma misreads them, so open the XLS there. Column names do not depend on the language.`,
      access: readAccess,
      params: AccountExportParams,
      query: AccountExportQuery,
      response: download(exportMediaTypes),
      problemCodes: [...readProblemCodes, 'export-too-large'],
      localised: true,
      run: ({ params, query }, context) => exportBankAccount(context, { ...params, query }, dependencies),
    }),
    reversalOperation,
  ];
}
