// GetBankSettlementHtml: shows one settlement period as a page to print.

import type { SettlementParams } from '../schemas.ts';
import type { Static } from 'typebox';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { createPrintedFile } from '../../../http/representations/printed-file.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { readBankName } from '../../places/queries/banks.ts';
import { renderSettlementPage } from '../rules/render-settlement-page.ts';
import { getBankSettlementPeriod } from './get-bank-settlement-period.ts';

export async function getBankSettlementHtml(
  context: ManagerContext,
  input: Static<typeof SettlementParams>,
): Promise<PreparedFile> {
  const { scope, tenant, language, now } = context;
  const settlement = await getBankSettlementPeriod(context, input);
  const bankName = await context.read((db) => readBankName(db, requireCoveredBank(scope, input.bankKid)));
  const fileName = `${settlement.bankKid}-settlement-${settlement.period}.html`;
  return createPrintedFile(fileName, now, (printedAtUtc) =>
    renderSettlementPage(settlement, { bankName, timeZone: tenant.timeZone, language, printedAtUtc }),
  );
}
