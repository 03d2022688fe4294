// Declares GetBankDocuments and the five formats of a document.

import { BankParams } from '../places/schemas.ts';
import { defineManagerOperation, type Operation, type OperationAccess } from '../../http/operations/operation.ts';
import { jsonMediaTypes, jsonOf, preparedFile } from '../../http/operations/response.ts';
import { FairQueue } from '../../lib/queues/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';
import { SharedReads } from '../../lib/caches/shared-reads.ts';
import type { GraphCache } from './process/graph-cache.ts';
import { downloadUnitDocumentCsv } from './operations/download-unit-document-csv.ts';
import { downloadUnitDocumentXls } from './operations/download-unit-document-xls.ts';
import { getBankDocuments } from './operations/get-bank-documents.ts';
import { getUnitDocumentHtml } from './operations/get-unit-document-html.ts';
import { getUnitDocumentSvg } from './operations/get-unit-document-svg.ts';
import { getUnitDocumentTable } from './operations/get-unit-document-table.ts';
import type { PrepareDocumentDependencies } from './read-document-file.ts';
import type { DocumentState } from './read-document.ts';
import type { DocumentRenderer } from './rendering/document-renderer.ts';
import {
  DocumentParams,
  DocumentQuery,
  DocumentSearch,
  DocumentsQuery,
  DocumentSvgQuery,
  DocumentTable,
} from './schemas.ts';

/** The limits of one process. */
const maxConcurrentSearches = 2;
const maxConcurrentRenders = 2;

type DocumentsRoutesDependencies = { readonly renderer: DocumentRenderer; readonly graphCache: GraphCache };

/** Requests wait in a queue for at most `maxWaitMs`. */
export function documentsRoutes({ renderer, graphCache }: DocumentsRoutesDependencies, maxWaitMs = 1000): Operation[] {
  const createRefusal = (): Problem => new Problem('document-busy');
  const searchQueue = new FairQueue({ maxConcurrent: maxConcurrentSearches, maxWaitMs, createRefusal });
  const renderQueue = new FairQueue({ maxConcurrent: maxConcurrentRenders, maxWaitMs, createRefusal });
  const dependencies = { renderer, renderQueue };
  return [
    createSearchOperation(searchQueue),
    ...createTableOperations(dependencies),
    ...createDownloadOperations(dependencies),
    createSvgOperation({ ...dependencies, graphCache }),
  ];
}

/** One of the Tabs is enough. */
const documentAccess: OperationAccess = {
  tabs: ['WashDoc1', 'WashDoc3', 'WashDoc2'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'],
  grantLevel: 'location',
};

const common = { method: 'GET', group: 'Documents', access: documentAccess, deadlineMs: 12_000 } as const;

const createSearchOperation = (searchQueue: FairQueue): Operation =>
  defineManagerOperation({
    ...common,
    id: 'GetBankDocuments',
    path: '/api/v1/banks/{bankKid}/documents',
    openApiDocuments: ['portal'],
    summary: 'Search a bank’s documents',
    description:
      'A document is what a unit did in one run, or what a meter read in one month. It is found if one of its Cycles is in the interval. `locations` and `units` are those that were searched: the locations that the grants cover, or the one that the query names, and their units. Locations and units that were deleted within the manager’s RetentionDays are included, with their documents. Over 1000 locations, 5000 units or 35,000 settings of units answer `search-too-large`: narrow the search to one location.',
    params: BankParams,
    query: DocumentsQuery,
    response: jsonOf(DocumentSearch),
    problemCodes: ['not-found', 'search-too-large', 'document-busy'],
    localised: true,
    run: ({ params: { bankKid }, query }, context) => getBankDocuments(context, { bankKid, query }, searchQueue),
  });

const headers = ['Content-Disposition', 'X-Document-Complete'] as const;

const ofDocument = {
  ...common,
  params: DocumentParams,
  query: DocumentQuery,
  problemCodes: ['not-found', 'document-too-large', 'unsupported-unit-type', 'document-busy'],
} as const;

const limitsText =
  'A unit that was deleted, or whose location was, keeps its documents for the manager’s RetentionDays. At most 31 days, 128 columns, 50,000 samples, 500,000 cells, 16,384 characters in a value and 8 million in all; a larger document answers `document-too-large`: select fewer fields.';

const decimalPointText =
  'Numbers have a decimal point: a spreadsheet whose region has a decimal comma reads 31952.306 as 31952306, so open the XLS there.';

const createTableOperations = (dependencies: PrepareDocumentDependencies): Operation[] => [
  defineManagerOperation({
    ...ofDocument,
    id: 'GetUnitDocumentTable',
    path: '/api/v1/documents/{documentKid}/table',
    openApiDocuments: ['portal'],
    summary: 'Read a document as a table',
    description: `One row for each time at which something was sampled; nothing is interpolated or rounded. Names and labels do not depend on the language. ${limitsText}`,
    response: preparedFile(jsonMediaTypes, { headers, schema: DocumentTable }),
    run: ({ params, query }, context) => getUnitDocumentTable(context, { ...params, selection: query }, dependencies),
  }),
  defineManagerOperation({
    ...ofDocument,
    id: 'GetUnitDocumentHtml',
    path: '/api/v1/documents/{documentKid}/table.html',
    openApiDocuments: ['portal'],
    summary: 'Read a document as a page to print',
    description: `A page in English for screens and A4 paper, without scripts: the graph of up to 16 numeric series, how much counters have grown, and the table. Columns without a value are left out, and named. ${limitsText}`,
    response: preparedFile(['text/html'], { headers: [...headers, 'Content-Security-Policy'] }),
    run: ({ params, query }, context) => getUnitDocumentHtml(context, { ...params, selection: query }, dependencies),
  }),
];

/** Downloads are recorded in the audit log. */
const ofDownload = { ...ofDocument, problemCodes: [...ofDocument.problemCodes, 'clock-behind'] } as const;

const createDownloadOperations = (dependencies: PrepareDocumentDependencies): Operation[] => [
  defineManagerOperation({
    ...ofDownload,
    id: 'DownloadUnitDocumentCsv',
    path: '/api/v1/documents/{documentKid}/table.csv',
    openApiDocuments: ['downloads'],
    summary: 'Download a document as CSV',
    description: `UTF-8 with a byte order mark, commas, quoted cells and CRLF; a text that a spreadsheet could take for a formula begins with an apostrophe. ${decimalPointText} ${limitsText}`,
    response: preparedFile(['text/csv'], { headers }),
    run: ({ params, query }, context) =>
      downloadUnitDocumentCsv(context, { ...params, selection: query }, dependencies),
  }),
  defineManagerOperation({
    ...ofDownload,
    id: 'DownloadUnitDocumentXls',
    path: '/api/v1/documents/{documentKid}/table.xls',
    openApiDocuments: ['downloads'],
    summary: 'Download a document as an Excel workbook',
    description: `An Excel 97-2003 workbook. Column local has the time of the location, in addition to UTC. Texts stay texts, as do numbers of more than 15 digits or of another spelling than Excel’s. ${limitsText}`,
    response: preparedFile(['application/vnd.ms-excel'], { headers }),
    run: ({ params, query }, context) =>
      downloadUnitDocumentXls(context, { ...params, selection: query }, dependencies),
  }),
];

type SvgOperationDependencies = PrepareDocumentDependencies & { readonly graphCache: GraphCache };

function createSvgOperation(svgDependencies: SvgOperationDependencies): Operation {
  const dependencies = { ...svgDependencies, sharedStates: new SharedReads<DocumentState>() };
  return defineManagerOperation({
    ...ofDocument,
    id: 'GetUnitDocumentSvg',
    path: '/api/v1/documents/{documentKid}/graph.svg',
    openApiDocuments: ['portal'],
    summary: 'Read a document as graphs',
    description: `A graph with a scale of its own for each of at most 16 numeric series; enumerations and booleans are steps. An image element sends no bearer token: fetch the image first. ${limitsText}`,
    query: DocumentSvgQuery,
    response: preparedFile(['image/svg+xml'], { headers }),
    problemCodes: [...ofDocument.problemCodes, 'no-numeric-data', 'too-many-series'],
    run: ({ params, query: { width, ...selection } }, context) =>
      getUnitDocumentSvg(context, { ...params, selection, width }, dependencies),
  });
}
