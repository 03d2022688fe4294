// GetBankDocuments: finds the documents of a bank whose Cycles are in an interval.

import type { Static } from 'typebox';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { queueKeyOf } from '../../../http/context/principal.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import type { FairQueue } from '../../../lib/queues/fair-queue.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { toPage, type PageSlice } from '../../../lib/values/paging.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { requireBank } from '../../places/require-place.ts';
import {
  countSearchedSettings,
  listFoundDocuments,
  listSearchedLocations,
  listSearchedUnits,
  type FoundDocumentPosition,
} from '../queries/search-documents.ts';
import { checkSearchSize, parseSearch, type DocumentCriteria } from '../rules/search-selection.ts';
import { toSearchedPlaces, toFoundDocuments } from '../answers.ts';
import type { DocumentSearch, DocumentsQuery } from '../schemas.ts';

/** The last document of a page, and the interval of the first page. */
type SearchPosition = readonly [...FoundDocumentPosition, from: number, through: number];

export async function getBankDocuments(
  context: ManagerContext,
  { bankKid, query }: { readonly bankKid: KidOf<'bank'>; readonly query: Static<typeof DocumentsQuery> },
  searchQueue: FairQueue,
): Promise<DocumentSearch> {
  const { scope, tenant, language, now, principal, clientSignal } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const request = await openPage<SearchPosition>(context, query);
  const parsed = parseSearch(bank, query, { now, retentionDays: scope.retentionDays });
  const [, , , , from = parsed.from, through = parsed.through] = request.after ?? [];
  const criteria = { ...parsed, from, through };
  const { places, rows } = await searchQueue.run(() => context.read((db) => search(db, criteria, request)), {
    key: queueKeyOf(tenant, principal),
    signal: clientSignal,
  });
  const { items, ...page } = toPage(rows, request, ({ at, location_id, unit_id, document_id }) => [
    at,
    location_id,
    unit_id,
    String(document_id),
    criteria.from,
    criteria.through,
  ]);
  const searchContext = { tenant, bankId: bank.bankId, language };
  return {
    items: toFoundDocuments(items, places, searchContext),
    ...toSearchedPlaces(places, searchContext),
    from: formatUtc(criteria.from),
    through: formatUtc(criteria.through),
    ...page,
  };
}

async function search(db: Db, criteria: DocumentCriteria, { after, offset, limit }: PageSlice<SearchPosition>) {
  const [locations, units, settingRows] = await Promise.all([
    listSearchedLocations(db, criteria),
    listSearchedUnits(db, criteria),
    countSearchedSettings(db, criteria),
    requireBank(db, criteria.bank),
  ]);
  checkSearchSize({ locations: locations.length, units: units.length, settingRows });
  const position = after && ([after[0], after[1], after[2], after[3]] as const);
  const rows = await listFoundDocuments(db, criteria, { after: position, offset, limit: limit + 1 });
  return { places: { locations, units }, rows };
}
