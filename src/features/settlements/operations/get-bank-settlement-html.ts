// GetBankSettlementHtml: shows one settlement period as a page to print.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { formatContentDisposition } from '../../../lib/content-disposition.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/ms2000.ts';
import { printedPageSecurityPolicy } from '../../../lib/printed-page.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { readBankName } from '../../places/queries/bank-name.ts';
import { renderSettlementPage } from '../rules/render-settlement-page.ts';
import { getBankSettlementPeriod } from './get-bank-settlement-period.ts';

type GetBankSettlementHtmlInput = { readonly bankKid: KidOf<'bank'>; readonly period: number };

export async function getBankSettlementHtml(
  context: ManagerContext,
  input: GetBankSettlementHtmlInput,
): Promise<PreparedFile> {
  const { scope, tenant, language, now } = context;
  const settlement = await getBankSettlementPeriod(context, input);
  const bankName = await context.read((db) => readBankName(db, requireCoveredBank(scope, input.bankKid)));
  const renderAt = (printedAtMs2000: number) =>
    renderSettlementPage(settlement, {
      bankName,
      timeZone: tenant.timeZone,
      language,
      printedAtUtc: formatUtc(printedAtMs2000),
    });
  return {
    body: new TextEncoder().encode(renderAt(now)),
    timelessBody: renderAt(0),
    mediaType: 'text/html; charset=utf-8',
    headers: {
      'content-disposition': formatContentDisposition(
        'inline',
        `${settlement.bankKid}-settlement-${settlement.period}.html`,
      ),
      'content-security-policy': printedPageSecurityPolicy,
    },
  };
}
