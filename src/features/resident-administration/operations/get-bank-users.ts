// GetBankUsers: lists the residents of a bank whom the manager may see.

import type { Static } from 'typebox';
import type { BankUsersQuery } from '../schemas.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import type { ListPosition } from '../../../database/statements/list-page.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { requireBank } from '../../places/require-place.ts';
import { listResidents } from '../queries/residents.ts';
import { readResidents } from '../read-residents.ts';
import { createResidentCriteria, matchesNoResident } from '../rules/resident-criteria.ts';

export async function getBankUsers(
  context: ManagerContext,
  { bankKid, query }: { readonly bankKid: KidOf<'bank'>; readonly query: Static<typeof BankUsersQuery> },
) {
  const { scope, now } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const criteria = createResidentCriteria(query, { bank, retentionDays: scope.retentionDays, now });
  const { sort, direction } = query;
  const request = await openPage<ListPosition>(context, query);
  return context.read(async (db) => {
    const [rows] = await Promise.all([
      matchesNoResident(criteria) ? [] : listResidents(db, criteria, { sort, direction, ...request }),
      requireBank(db, bank),
    ]);
    const page = toPage(rows, request, ({ sort_key, resident_id }) => [sort_key, resident_id]);
    return { ...page, items: await readResidents(db, bank, page.items, context) };
  });
}
