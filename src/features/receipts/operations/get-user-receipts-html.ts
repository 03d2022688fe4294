// GetUserReceiptsHtml: shows a page of a resident's receipts, or one of them, as a page to print.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { createPrintedFile } from '../../../http/representations/printed-file.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { parseExactJson } from '../../../lib/values/int64.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { requireVisibleResident } from '../../residents/rules/resident-visibility.ts';
import { findBankAndResident } from '../queries/bank-and-resident.ts';
import { renderReceiptsPage } from '../rules/render-receipts-page.ts';
import type { ReceiptPage } from '../schemas.ts';
import { getUserReceipts, type GetUserReceiptsDependencies, type GetUserReceiptsInput } from './get-user-receipts.ts';

/** With the key of a receipt, only that one of the page. */
export async function getUserReceiptsHtml(
  context: ManagerContext,
  { key, ...input }: GetUserReceiptsInput & { readonly key?: string | undefined },
  dependencies: GetUserReceiptsDependencies,
): Promise<PreparedFile> {
  const { scope, tenant, language, now } = context;
  const { text } = await getUserReceipts(context, input, dependencies);
  const { residentId } = input.userKid;
  const bank = requireCoveredBank(scope, input.userKid);
  const row = await context.read((db) => findBankAndResident(db, { bank, residentId }));
  const { name, bank_name } = requireVisibleResident(row, bank.coverage, scope.retentionDays, now);
  // Only now, so that no request waits for the database with all the receipts in memory.
  const { items, nextOffset, userKid } = parseExactJson(text) as ReceiptPage;
  const receipts = key === undefined ? items : items.filter((receipt) => receipt.key === key);
  if (key !== undefined && receipts.length === 0) throw new Problem('not-found');
  return createPrintedFile(`${userKid}-receipts.html`, now, (printedAtUtc) =>
    renderReceiptsPage(receipts, {
      isSingle: key !== undefined,
      hasMore: key === undefined && nextOffset !== null,
      bankName: bank_name,
      residentName: name,
      timeZone: tenant.timeZone,
      language,
      printedAtUtc,
    }),
  );
}
