// GetBankIcons: lists the granted banks with the numbers of their units that are online and offline.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { openPlaceList, readListPage, type PlaceListQuery } from '../read-list-page.ts';
import { listBankOverviewRows } from '../queries/banks.ts';
import { countContactsByBank } from '../queries/contact-counts.ts';
import { listGrantedBanks } from '../queries/granted-places.ts';
import { toBankIcons } from '../answers.ts';

export async function getBankIcons(context: ManagerContext, listing: PlaceListQuery<'name'>) {
  const { scope, language, now } = context;
  const input = await openPlaceList(context, listing);
  return context.read(async (db) => {
    const page = await readListPage(input, language, {
      listEntries: async () => (await listGrantedBanks(db, scope)).map(toListEntry),
      listRows: (slice) => listBankOverviewRows(db, scope, slice),
      idOf: ({ bank_id }) => bank_id,
    });
    const bankIds = page.items.map(({ bank_id }) => bank_id);
    const counts = await countContactsByBank(db, scope, bankIds, now);
    const countsByBank = new Map(counts.map((each) => [each.bank_id, each]));
    const itemContext = { tenant: scope.tenant, dayOfMonth: dayOfMonthAt(now) };
    return { ...page, items: page.items.map((bank) => toBankIcons(bank, countsByBank.get(bank.bank_id), itemContext)) };
  });
}

const toListEntry = ({ bank_id: id, name }: { readonly bank_id: number; readonly name: string }) => ({
  id,
  searchTexts: [name],
  sortValues: { name },
});
