// GetBankAccount, GetBankAccountRevision, ExportBankAccount and ReverseBankAccountEntry.

import { managerOperation, type Access, type Operation } from '../../http/operation.ts';
import type { Problem } from '../../lib/problem.ts';
import { reachOf, type Missing } from '../../permissions/needs.ts';
import type { XlsFiles } from '../../providers/spreadsheet/xls.ts';
import { reachKey, type BankViews } from './bank-view.ts';
import { exportAccount, exportTypes } from './export.ts';
import { maxExportRows } from './export-batches.ts';
import { readAccount, readPage, readRevision } from './read.ts';
import { reverseEntry } from './reversal.ts';
import type { Revisions } from './revisions.ts';
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
import { selectionOf } from './selection.ts';

const deadlineMs = 10_000;
const problems: Problem['code'][] = ['periods-timeout', 'storage-timeout', 'storage-text-comparison'];

/** The reason of a missing Read is spelled after its area. To a manager without any grant no bank is in sight. */
function refusal(missing: Missing): { code: 'forbidden'; reason?: string } {
  if (missing.kind === 'tab') return { code: 'forbidden' };
  if (missing.kind === 'scope') return { code: 'forbidden', reason: 'missing-bank-read' };
  const [area, flag] = missing.permission.split('.');
  return { code: 'forbidden', reason: `missing-${area}-${flag}`.toLowerCase() };
}

const access: Access = {
  tabs: ['Account2'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'],
  breadth: 'location',
  refusal,
};

export function accountRoutes({
  views,
  revisions,
  xls,
}: {
  readonly views: BankViews;
  readonly revisions: Revisions;
  readonly xls: XlsFiles;
}): Operation[] {
  return [
    managerOperation({
      id: 'GetBankAccount',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account',
      documents: ['portal'],
      group: 'Account',
      summary: 'Read a bank’s consumption account',
      description:
        'Rows newest first, then by location and unit; totals per currency over the whole filtered selection. Location grants limit rows, totals and choices. Not cached.',
      access,
      params: AccountParams,
      query: AccountQuerySchema,
      answer: AccountAnswer,
      problems,
      localised: true,
      deadlineMs,
      run: ({ params, query }, door) => {
        const selection = selectionOf(params.bankKid.bankId, query, door.scope, door.tenant, door.now());
        const page = { offset: query.Offset, limit: query.Limit };
        return readAccount(door, selection, (db) => readPage(db, door, selection, page, views));
      },
    }),
    managerOperation({
      id: 'GetBankAccountRevision',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account/revision',
      documents: ['portal'],
      group: 'Account',
      summary: 'Read the revision of an account selection alone',
      description: 'Poll it no faster than every 30 seconds: identical scopes share an answer for that long.',
      access,
      params: AccountParams,
      query: AccountQuerySchema,
      answer: AccountRevisionAnswer,
      problems,
      deadlineMs,
      run: async ({ params: { bankKid }, query }, door) => {
        const now = door.now();
        const { scope, tenant } = door;
        const selection = selectionOf(bankKid.bankId, query, scope, tenant, now);
        const scopeKey = JSON.stringify([
          selection,
          reachKey(reachOf(scope.grants, bankKid.bankId)),
          scope.retentionDays,
        ]);
        const read = () => readAccount(door, selection, (db) => readRevision(db, scope, selection, now));
        return { revision: await revisions.of(tenant.name, bankKid.bankId, scopeKey, read) };
      },
    }),
    managerOperation({
      id: 'ExportBankAccount',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/account/export.{format}',
      documents: ['downloads'],
      group: 'Account',
      summary: 'Download an account selection as CSV or XLS',
      description: `The rows of GetBankAccount, at most ${maxExportRows.toLocaleString('en')}, as they stood when the download began. Amounts are exact in minor units; local times are those of TimeZone. Column names do not depend on the language.`,
      access,
      params: ExportParams,
      query: ExportQuerySchema,
      files: exportTypes,
      problems: [...problems, 'export-too-large', 'storage-busy'],
      localised: true,
      deadlineMs,
      run: ({ params: { bankKid, format }, query }, door) => {
        const selection = selectionOf(bankKid.bankId, query, door.scope, door.tenant, door.now());
        return exportAccount(door, selection, format, { views, xls });
      },
    }),
    managerOperation({
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
        breadth: 'bank',
      },
      params: ReversalParams,
      query: ReversalQuery,
      answer: Entry,
      problems: ['not-found', 'already-reversed', 'not-reversible'],
      localised: true,
      idempotent: true,
      deadlineMs,
      run: ({ params: { bankKid, transactionKid }, query: { dryRun } }, door) =>
        reverseEntry(door, { bankId: bankKid.bankId, entry: transactionKid, dryRun }),
    }),
  ];
}
