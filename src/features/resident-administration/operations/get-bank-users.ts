// GetBankUsers: lists the residents of a bank whom the manager may see.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { toPage } from '../../../lib/paging.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { requireBank } from '../../places/require-place.ts';
import { listResidents, type ResidentPageRequest } from '../queries/residents.ts';
import { readResidents } from '../read-residents.ts';
import { createResidentCriteria, matchesNoResident, type ResidentQuery } from '../rules/resident-criteria.ts';

type GetBankUsersInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly query: ResidentQuery & ResidentPageRequest;
};

export function getBankUsers(context: ManagerContext, { bankKid, query }: GetBankUsersInput) {
  const { scope, now } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const criteria = createResidentCriteria(query, { bank, retentionDays: scope.retentionDays, now });
  return context.read(async (db) => {
    const [rows] = await Promise.all([
      matchesNoResident(criteria) ? [] : listResidents(db, criteria, query),
      requireBank(db, bank),
    ]);
    const page = toPage(rows, query);
    return { ...page, items: await readResidents(db, bank, page.items, context) };
  });
}
