// GetHeldLines: lists the lines of a bank's computers that wait for a manager, or have waited.

import type { Static } from 'typebox';
import type { BankParams } from '../../places/schemas.ts';
import type { HeldLinesQuery } from '../schemas.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { requireBank } from '../../places/require-place.ts';
import { toHeldLine } from '../answers.ts';
import { listHeldLines, type HeldLinePosition } from '../queries/held-line-list.ts';

type GetHeldLinesInput = Static<typeof BankParams> & Static<typeof HeldLinesQuery>;

/** A computer of another bank has none. */
export async function getHeldLines(context: ManagerContext, { bankKid, computerKid, ...query }: GetHeldLinesInput) {
  const bank = requireCoveredBank(context.scope, bankKid);
  const request = await openPage<HeldLinePosition>(context, query);
  const isOfBank = computerKid === undefined || computerKid.bankId === bank.bankId;
  const selection = { ...request, state: query.state, code: query.code, computerId: computerKid?.computerId };
  return context.read(async (db) => {
    await requireBank(db, bank);
    const rows = isOfBank ? await listHeldLines(db, bank, selection) : [];
    const page = toPage(rows, request, ({ held_id }) => [held_id]);
    return { ...page, items: page.items.map((row) => toHeldLine(context.tenant, row)) };
  });
}
