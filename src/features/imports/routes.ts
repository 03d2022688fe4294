// Declares the operations on imports: CreateImport, GetImports, GetImportKinds, GetImport, GetImportEvents, GetImportRows,
// GetImportTemplate, ApplyImport, UndoImport, CancelImport and ExportData.

import type { Databases } from '../../database/databases.ts';
import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { download, jsonOf, preparedFile, streamed } from '../../http/operations/response.ts';
import { ExpectedRevision } from '../../http/schemas/schema-types.ts';
import { createExportAccess, createImportAccess, listKindReasons } from './access.ts';
import { importsAccess } from '../import-profiles/access.ts';
import { applyImport } from './operations/apply-import.ts';
import { cancelImport } from './operations/cancel-import.ts';
import { createImport, locationOfImport } from './operations/create-import.ts';
import { exportData } from './operations/export-data.ts';
import { getImport } from './operations/get-import.ts';
import { getImportEvents, type ImportEventsDependencies } from './operations/get-import-events.ts';
import { getImportKinds } from './operations/get-import-kinds.ts';
import { getImportRows } from './operations/get-import-rows.ts';
import { getImportTemplate } from './operations/get-import-template.ts';
import { getImports } from './operations/get-imports.ts';
import { undoImport } from './operations/undo-import.ts';
import type { ImportJobs } from './process/import-jobs.ts';
import {
  ExportQuery,
  Import,
  ImportApproval,
  ImportFile,
  ImportKindList,
  ImportPage,
  ImportParams,
  ImportRowPage,
  ImportRowsQuery,
  ImportsQuery,
  KindParams,
  NewImportQuery,
} from './schemas.ts';

const common = { openApiDocuments: ['portal'], group: 'Imports', deadlineMs: 10_000 } as const;
const maxFileBytes = 1024 ** 3;

type ImportDependencies = ImportEventsDependencies & { readonly databases: Databases; readonly jobs: ImportJobs };

const createImportOperation = (dependencies: ImportDependencies): Operation =>
  defineManagerOperation({
    ...common,
    id: 'CreateImport',
    method: 'POST',
    path: '/api/v1/imports',
    summary: 'Plan an import',
    description:
      'Takes a file as a stream, and makes a plan of it: what would be created and changed, and what is wrong, row by row. A plan changes nothing. A file that cannot be read gives an import that has failed. Takes no `Idempotency-Key`.',
    access: createImportAccess(),
    query: NewImportQuery,
    body: ImportFile,
    bodyFormat: 'octets',
    maxBodyBytes: maxFileBytes,
    response: jsonOf(Import, { status: 202, locationOf: locationOfImport }),
    problemCodes: ['not-found', 'uploads-busy'],
    run: ({ query, body: file }, context) => createImport(context, { ...query, file }, dependencies),
  });

const getImportsOperation = defineManagerOperation({
  ...common,
  id: 'GetImports',
  method: 'GET',
  path: '/api/v1/imports',
  summary: 'List imports',
  description:
    'Those of the banks that the manager is granted as a whole, and of the tenant if all of it is. The newest first.',
  managersOnly: true,
  access: importsAccess,
  query: ImportsQuery,
  response: jsonOf(ImportPage),
  run: ({ query }, context) => getImports(context, query),
});

const getImportKindsOperation = defineManagerOperation({
  ...common,
  id: 'GetImportKinds',
  method: 'GET',
  path: '/api/v1/import-kinds',
  summary: 'List the kinds of data that can be imported',
  description: 'What an import and an export of each kind need, and whether the manager has it.',
  managersOnly: true,
  access: importsAccess,
  response: jsonOf(ImportKindList),
  run: async (_, context) => getImportKinds(context),
});

const getImportOperation = defineManagerOperation({
  ...common,
  id: 'GetImport',
  method: 'GET',
  path: '/api/v1/imports/{importKid}',
  summary: 'Read how far an import has come',
  description: 'Needs what an import of its kind needs.',
  managersOnly: true,
  access: importsAccess,
  forbiddenReasons: listKindReasons(),
  params: ImportParams,
  response: jsonOf(Import),
  problemCodes: ['not-found'],
  isPolled: true,
  run: ({ params: { importKid } }, context) => getImport(context, importKid),
});

const createEventsOperation = (dependencies: ImportDependencies): Operation =>
  defineManagerOperation({
    ...common,
    id: 'GetImportEvents',
    method: 'GET',
    path: '/api/v1/imports/{importKid}/events',
    summary: 'Follow an import while it is planned, applied or undone',
    description:
      'Server-sent events: the import as GetImport has it, now and after each change. The stream ends when nothing is being done with the import, or after ten minutes: come back then if its state is still `planning`, `applying` or `undoing`. Needs what an import of its kind needs.',
    managersOnly: true,
    access: importsAccess,
    forbiddenReasons: listKindReasons(),
    params: ImportParams,
    response: streamed(['text/event-stream']),
    problemCodes: ['not-found', 'storage-busy'],
    isPolled: true,
    isLongPoll: true,
    run: ({ params: { importKid } }, context) => getImportEvents(context, importKid, dependencies),
  });

const getImportRowsOperation = defineManagerOperation({
  ...common,
  id: 'GetImportRows',
  method: 'GET',
  path: '/api/v1/imports/{importKid}/rows',
  summary: 'List the rows of an import',
  description:
    'What the plan does with each row, what would change or is wrong, and what became of it, in the order of the file. Rows are kept for 90 days. Needs what an import of its kind needs.',
  managersOnly: true,
  access: importsAccess,
  forbiddenReasons: listKindReasons(),
  params: ImportParams,
  query: ImportRowsQuery,
  response: jsonOf(ImportRowPage),
  problemCodes: ['not-found'],
  run: ({ params, query }, context) => getImportRows(context, { ...params, ...query }),
});

const getImportTemplateOperation = defineManagerOperation({
  ...common,
  openApiDocuments: ['downloads'],
  id: 'GetImportTemplate',
  method: 'GET',
  path: '/api/v1/imports/templates/{kind}.csv',
  summary: 'Download the template of a file to import',
  description:
    'The columns of the kind, and a row as an example: a CSV as spreadsheets of the tenant’s country write it.',
  access: importsAccess,
  params: KindParams,
  response: preparedFile(['text/csv'], { headers: ['Content-Disposition'] }),
  run: ({ params: { kind } }, context) => getImportTemplate(context, kind),
});

const createApplyOperation = (dependencies: ImportDependencies): Operation =>
  defineManagerOperation({
    ...common,
    id: 'ApplyImport',
    method: 'POST',
    path: '/api/v1/imports/{importKid}/apply',
    summary: 'Apply a plan',
    description:
      'Does exactly what the plan says, after the answer: read the import to see how far it is. A row whose object has changed since the plan is `stale`. All is applied in one transaction (at most 5,000 rows), or nothing; with `allowPartial` what can be applied is, in batches that take turns with other writes. Needs what an import of its kind needs.',
    access: importsAccess,
    forbiddenReasons: listKindReasons(),
    params: ImportParams,
    body: ImportApproval,
    response: jsonOf(Import, { status: 202 }),
    problemCodes: ['not-found', 'import-conflict', 'import-missing-rows', 'import-not-allowed'],
    acceptsIdempotencyKey: true,
    run: ({ params, body }, context) => applyImport(context, { ...params, ...body }, dependencies),
  });

const createUndoOperation = (dependencies: ImportDependencies): Operation =>
  defineManagerOperation({
    ...common,
    id: 'UndoImport',
    method: 'POST',
    path: '/api/v1/imports/{importKid}/undo',
    summary: 'Undo an import',
    description:
      'Takes back what was applied, the last row first: new objects are deleted, changed ones restored, postings reversed. What has been changed since, or is in use, is `kept`, and its errors say why. Needs what an import of its kind needs.',
    access: importsAccess,
    forbiddenReasons: listKindReasons(),
    params: ImportParams,
    body: ExpectedRevision,
    response: jsonOf(Import, { status: 202 }),
    problemCodes: ['not-found', 'import-conflict', 'import-not-allowed'],
    acceptsIdempotencyKey: true,
    run: ({ params, body }, context) => undoImport(context, { ...params, ...body }, dependencies),
  });

const cancelImportOperation = defineManagerOperation({
  ...common,
  id: 'CancelImport',
  method: 'POST',
  path: '/api/v1/imports/{importKid}/cancel',
  summary: 'Cancel an import',
  description:
    'Ends an import that is planned or being applied. What it has applied stays, and can be undone. Needs what an import of its kind needs.',
  access: importsAccess,
  forbiddenReasons: listKindReasons(),
  params: ImportParams,
  response: jsonOf(Import),
  problemCodes: ['not-found', 'import-not-allowed'],
  acceptsIdempotencyKey: true,
  run: ({ params }, context) => cancelImport(context, params),
});

const createExportOperation = (): Operation =>
  defineManagerOperation({
    ...common,
    openApiDocuments: ['downloads'],
    id: 'ExportData',
    method: 'GET',
    path: '/api/v1/exports/{kind}',
    summary: 'Download data as an import reads them',
    description:
      'All objects of the kind, as the CSV that CreateImport reads: UTF-8 with a byte order mark, commas, quoted cells and CRLF.',
    access: createExportAccess(),
    params: KindParams,
    query: ExportQuery,
    response: download(['text/csv']),
    problemCodes: ['not-found', 'storage-busy'],
    deadlineMs: 300_000,
    run: ({ params, query }, context) => exportData(context, { ...params, ...query }),
  });

export const importsRoutes = (dependencies: ImportDependencies): Operation[] => [
  getImportsOperation,
  createImportOperation(dependencies),
  getImportKindsOperation,
  getImportOperation,
  createEventsOperation(dependencies),
  getImportRowsOperation,
  getImportTemplateOperation,
  createApplyOperation(dependencies),
  createUndoOperation(dependencies),
  cancelImportOperation,
  createExportOperation(),
];
