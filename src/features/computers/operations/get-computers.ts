// GetComputers: lists the computers of a bank that the grants cover.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { requireCoveredBank, type BankKey } from '../../../permissions/coverage.ts';
import { openPlaceList, readListPage, type PlaceListQuery } from '../../places/read-list-page.ts';
import { requireBank } from '../../places/require-place.ts';
import { toComputer } from '../answers.ts';
import { listComputers, listComputerSearchRows } from '../queries/computers.ts';

type GetComputersInput = { readonly bankKid: BankKey; readonly listing: PlaceListQuery<'name' | 'lastContact'> };

export async function getComputers(context: ManagerContext, { bankKid, listing }: GetComputersInput) {
  const bank = requireCoveredBank(context.scope, bankKid);
  const input = await openPlaceList(context, listing);
  return context.read(async (db) => {
    await requireBank(db, bank);
    const page = await readListPage(input, context.language, {
      listEntries: async () =>
        (await listComputerSearchRows(db, bank)).map(({ computer_id: id, name, last_contact_at: lastContact }) => ({
          id,
          searchTexts: [name],
          sortValues: { name, lastContact: lastContact ?? 0 },
        })),
      listRows: (slice) => listComputers(db, bank, slice),
      idOf: ({ computer_id }) => computer_id,
    });
    return { ...page, items: page.items.map((row) => toComputer({ bank, row })) };
  });
}
