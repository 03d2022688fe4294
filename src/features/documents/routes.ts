// Declares GetBankDocuments.

import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { Problem } from '../../lib/problem.ts';
import { documentAccess } from './access.ts';
import { getBankDocuments } from './operations/get-bank-documents.ts';
import { DocumentSearchAnswer, DocumentsParams, DocumentsQuery } from './schemas.ts';

/** In one process. */
const maxConcurrentSearches = 2;

const common = { group: 'Documents', access: documentAccess, deadlineMs: 12_000 } as const;

/** A search that finds no place waits for at most `maxWaitMs`. */
export function documentsRoutes(maxWaitMs = 1000): Operation[] {
  const createRefusal = (): Problem => new Problem('document-busy');
  const searchLimit = new ConcurrencyLimit(maxConcurrentSearches, createRefusal, maxWaitMs);
  return [createSearchOperation(searchLimit)];
}

const createSearchOperation = (searchLimit: ConcurrencyLimit): Operation =>
  defineManagerOperation({
    ...common,
    id: 'GetBankDocuments',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/documents',
    documents: ['portal'],
    summary: 'Search a bank’s documents',
    description:
      'A document is what a unit did in one run, or what a meter read in one month. It is found if one of its Cycles lies in the interval. `locations` and `units` are those that were searched: the ones that the grants cover, or the one location that the query names, and their units. Over 1000 locations, 5000 units or 35,000 settings of units answer `search-too-large`: narrow the search to one location.',
    params: DocumentsParams,
    query: DocumentsQuery,
    response: DocumentSearchAnswer,
    problemCodes: ['not-found', 'search-too-large', 'document-busy'],
    localised: true,
    run: ({ params: { bankKid }, query }, context) => getBankDocuments(context, { bankKid, query }, searchLimit),
  });
