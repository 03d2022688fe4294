// GetBankUsers: lists the residents of a bank whom the manager may see.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { toPage } from '../../../lib/paging.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { requireBank } from '../../places/queries/visible-places.ts';
import { listResidents, type ResidentPage } from '../queries/residents.ts';
import { readResidentItems } from '../resident-items.ts';
import { createResidentCriteria, isEmptyCriteria, type ResidentQuery } from '../rules/criteria.ts';

export type GetBankUsersInput = { readonly bankKid: KidOf<'bank'>; readonly query: ResidentQuery & ResidentPage };

export function getBankUsers(context: ManagerContext, { bankKid, query }: GetBankUsersInput) {
  const { scope, now } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const criteria = createResidentCriteria(query, { bank, retentionDays: scope.retentionDays, now });
  return context.read(async (db) => {
    const [rows] = await Promise.all([
      isEmptyCriteria(criteria) ? [] : listResidents(db, criteria, query),
      requireBank(db, bank),
    ]);
    const page = toPage(rows, query);
    return { ...page, items: await readResidentItems(db, bank, page.items, context) };
  });
}
