// GetBankAccount, GetBankAccountRevision, ExportBankAccount and ReverseBankAccountEntry.

import { defineManagerOperation, type OperationAccess, type Operation } from '../../http/operation.ts';
import type { Problem } from '../../lib/problem.ts';
import { coverageOf } from '../../permissions/coverage.ts';
import type { MissingRight } from '../../permissions/needs.ts';
import type { WriteXls } from '../../providers/spreadsheet/xls-writer.ts';
import { formatCoverageKey, type BankDisplayCache } from './bank-display-cache.ts';
import { exportBankAccount, exportMediaTypes } from './operations/export-bank-account.ts';
import { maxExportRows } from './export-batches.ts';
import { readWithAccountProblems, readAccountPage, readAccountRevision } from './operations/get-bank-account.ts';
import { reverseBankAccountEntry } from './operations/reverse-bank-account-entry.ts';
import type { RevisionCache } from './revision-cache.ts';
import { irreversibleReasons } from './rules/reversal.ts';
import {
  AccountAnswer,
  AccountParams,
  AccountQuerySchema,
  AccountRevisionAnswer,
  Entry,
  ExportParams,
  ExportQuerySchema,
  ReversalParams,
  ReversalQuery,
} from './schemas.ts';
import { parseAccountSelection } from './rules/account-selection.ts';

const deadlineMs = 10_000;
const readProblemCodes: Problem['code'][] = ['periods-timeout', 'storage-timeout', 'storage-text-comparison'];

/** The reason of a missing Read is spelled after its area. To a manager without any grant no bank is in sight. */
function createMissingRightProblem(missing: MissingRight): { code: 'forbidden'; reason?: string } {
  if (missing.kind === 'tab') return { code: 'forbidden' };
  if (missing.kind === 'scope') return { code: 'forbidden', reason: 'missing-bank-read' };
  const [area, flag] = missing.permission.split('.');
  return { code: 'forbidden', reason: `missing-${area}-${flag}`.toLowerCase() };
}

const readAccess: OperationAccess = {
  tabs: ['Account2'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'],
  grantLevel: 'location',
  missingRightProblem: createMissingRightProblem,
};

export function accountRoutes({
  views: bankDisplayCache,
  revisions: revisionCache,
  xls: writeXls,
}: {
  readonly views: BankDisplayCache;
  readonly revisions: RevisionCache;
  readonly xls: WriteXls;
}): Operation[] {
  return [
    defineManagerOperation({
      id: 'GetBankAccount',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account',
      documents: ['portal'],
      group: 'Account',
      summary: 'Read a bank’s consumption account',
      description:
        'Rows newest first, then by location and unit; totals per currency over the whole filtered selection. Location grants limit rows, totals and choices. Not cached.',
      access: readAccess,
      params: AccountParams,
      query: AccountQuerySchema,
      response: AccountAnswer,
      problemCodes: readProblemCodes,
      localised: true,
      deadlineMs,
      run: ({ params, query }, context) => {
        const selection = parseAccountSelection(
          params.bankKid.bankId,
          query,
          context.scope,
          context.tenant,
          context.now,
        );
        const page = { offset: query.Offset, limit: query.Limit };
        return readWithAccountProblems(context, selection, (db) =>
          readAccountPage(db, context, selection, page, bankDisplayCache),
        );
      },
    }),
    defineManagerOperation({
      id: 'GetBankAccountRevision',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account/revision',
      documents: ['portal'],
      group: 'Account',
      summary: 'Read the revision of an account selection alone',
      description: 'Poll it no faster than every 30 seconds: identical scopes share an answer for that long.',
      access: readAccess,
      params: AccountParams,
      query: AccountQuerySchema,
      response: AccountRevisionAnswer,
      problemCodes: readProblemCodes,
      deadlineMs,
      run: async ({ params: { bankKid }, query }, context) => {
        const now = context.now;
        const { scope, tenant } = context;
        const selection = parseAccountSelection(bankKid.bankId, query, scope, tenant, now);
        const cacheKey = JSON.stringify([
          selection,
          formatCoverageKey(coverageOf(scope.grants, bankKid.bankId)),
          scope.retentionDays,
        ]);
        const read = () =>
          readWithAccountProblems(context, selection, (db) => readAccountRevision(db, scope, selection, now));
        return { revision: await revisionCache.get(tenant.name, bankKid.bankId, cacheKey, read) };
      },
    }),
    defineManagerOperation({
      id: 'ExportBankAccount',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account/export.{format}',
      documents: ['downloads'],
      group: 'Account',
      summary: 'Download an account selection as CSV or XLS',
      description: `The rows of GetBankAccount, at most ${maxExportRows.toLocaleString('en')}, as they stood when the download began. Amounts are exact in minor units; local times are those of TimeZone. Column names do not depend on the language.`,
      access: readAccess,
      params: ExportParams,
      query: ExportQuerySchema,
      downloadTypes: exportMediaTypes,
      problemCodes: [...readProblemCodes, 'export-too-large', 'storage-busy'],
      localised: true,
      deadlineMs,
      run: ({ params: { bankKid, format }, query }, context) => {
        const selection = parseAccountSelection(bankKid.bankId, query, context.scope, context.tenant, context.now);
        return exportBankAccount(context, selection, format, { bankDisplayCache, writeXls });
      },
    }),
    defineManagerOperation({
      id: 'ReverseBankAccountEntry',
      method: 'POST',
      path: '/api/v1/banks/{bankKid}/account/{transactionKid}/reversal',
      documents: ['portal'],
      group: 'Account',
      summary: 'Take an entry of the account back',
      description: `Appends the entry that compensates it, in the current period, and queues it for the devices; whether they receive it is not told here. Once only, for consumption of a resident that the equipment tagged; \`not-reversible\` has one of the reasons ${Object.keys(irreversibleReasons).join(', ')}.`,
      access: {
        tabs: ['Account2'],
        permissions: ['Bank.Write', 'User.Write', 'Location.Read', 'Unit.Read'],
        grantLevel: 'bank',
      },
      params: ReversalParams,
      query: ReversalQuery,
      response: Entry,
      problemCodes: ['not-found', 'already-reversed', 'not-reversible'],
      localised: true,
      acceptsIdempotencyKey: true,
      deadlineMs,
      run: ({ params: { bankKid, transactionKid }, query: { dryRun } }, context) =>
        reverseBankAccountEntry(context, { bankId: bankKid.bankId, postingKid: transactionKid, dryRun }),
    }),
  ];
}
