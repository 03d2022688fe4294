// The schemas of the operations on imports and exports.

import { Type, type Static } from 'typebox';
import { cursor, listResponse, nextCursor, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { namedBody, namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import {
  closedObject,
  expectedRevision,
  instant,
  int32,
  kidInput,
  kidOutput,
  octets,
  stringEnum,
} from '../../http/schemas/schema-types.ts';
import { csvReaderQuery } from '../resident-administration/schemas.ts';
import { Tab } from '../sessions/schemas.ts';
import { DetectedFile, ImportError, ImportFailure, ProfileName, fileOptions } from '../import-profiles/schemas.ts';
import { importStates, missingActions, rowActions, rowOutcomes } from './rules/import-states.ts';
import { importKindNames } from '../import-kinds/rules/kind-names.ts';

const ImportKind = namedEnum('ImportKind', importKindNames, 'What the rows of the file are.');

const ImportAccess = namedObject('ImportAccess', {
  tabs: Type.Array(Tab, { description: 'One of them is needed.' }),
  permissions: Type.Array(Type.String({ examples: ['Bank.Read'] }), { description: 'All of them are needed.' }),
  grantLevel: Type.String({
    description: 'The narrowest grant: `bank` of the whole bank, `tenant` of the whole tenant.',
    examples: ['bank'],
  }),
  isAllowed: Type.Boolean({ description: 'Whether the manager may do it, at least in one bank.' }),
});

export const ImportKindList = namedObject('ImportKindList', {
  items: Type.Array(
    namedObject('ImportKindDescription', {
      kind: useOf(ImportKind, { description: 'The name of the kind.' }),
      belongsTo: stringEnum(['bank', 'tenant'], 'Whose data it is. An import of a bank’s data needs its `bankKid`.'),
      isDeactivatable: Type.Boolean({ description: 'Whether `missing` can be `deactivate`.' }),
      access: useOf(ImportAccess, { description: 'What an import needs.' }),
      exportAccess: useOf(ImportAccess, { description: 'What an export needs.' }),
    }),
    { description: 'In the order in which a tenant is built up.' },
  ),
});
export type ImportKindList = Static<typeof ImportKindList>;

const Bank = Type.Optional(
  Type.Unsafe<Static<ReturnType<typeof kidInput<'bank'>>>>({
    ...kidInput('bank'),
    description: 'The bank whose data it is. Every kind needs it but banks, installers and managers.',
  }),
);

const ImportMissing = namedEnum(
  'ImportMissing',
  missingActions,
  'What happens to objects that an earlier file of the same profile had, and that this one lacks.',
);
const ImportAction = namedEnum('ImportAction', rowActions, 'What the plan does with a row.');
const ImportOutcome = namedEnum('ImportOutcome', rowOutcomes, 'What became of a row.');

export const NewImportQuery = closedObject({
  kind: ImportKind,
  bankKid: Bank,
  profile: Type.Optional(
    Type.Unsafe<string>({
      ...ProfileName,
      description:
        'The profile by which the file is read. Without one, its columns have the names of the template of the kind.',
    }),
  ),
  ...fileOptions,
  missing: useOf(ImportMissing, { default: 'keep' }),
});

export const ImportFile = octets('The file: CSV, JSON Lines, or what the profile describes.');

export const ImportParams = closedObject({ importKid: kidInput('import') });

export const ImportsQuery = closedObject({ bankKid: Bank, ...paginationQuery });

const count = (description: string) => Type.Integer({ description });

const ImportCounts = namedObject('ImportCounts', {
  create: count('Rows that create an object.'),
  update: count('Rows that change one.'),
  unchanged: count('Rows whose object is already as the row has it.'),
  missing: count('Objects that the file lacks and that are deactivated.'),
  refused: count('Rows that cannot be applied; their errors say why.'),
});

const ImportOutcomes = namedObject('ImportOutcomes', {
  applied: count('Rows that were applied, also those that were undone later.'),
  stale: count('Rows that were not, since their object has changed since the plan was made.'),
  failed: count('Rows that could not be applied.'),
  undone: count('Rows that were undone.'),
  kept: count('Rows that could not be undone.'),
});

export const Import = namedObject('Import', {
  kid: kidOutput('import'),
  kind: ImportKind,
  bankKid: nullable(kidOutput('bank')),
  source: Type.String({ description: 'Whose keys the rows have: the name of the profile, or portal.' }),
  state: namedEnum(
    'ImportState',
    importStates,
    'planning: the file arrives. planned: it can be applied. applying, undoing: rows are being done. failed: nothing is, and nothing more will be. cancelled: what is applied stays.',
  ),
  counts: ImportCounts,
  outcomes: ImportOutcomes,
  missing: ImportMissing,
  allowPartial: Type.Boolean({ description: 'Whether rows are applied although others cannot be.' }),
  detected: nullable(DetectedFile),
  fileHash: nullable(
    Type.String({ description: 'SHA-256 of the file in hexadecimal digits; null until it has arrived.' }),
  ),
  fileBytes: Type.Integer({ description: 'Length of the file; 0 until it has arrived.' }),
  failure: nullable(ImportFailure),
  createdUtc: instant('When the import began.'),
  createdByKid: nullable(kidOutput('manager')),
  changedUtc: instant('When its state last changed.'),
  revision: Type.String({ description: 'Revision of the import, for `expectedRevision`.' }),
});
export type Import = Static<typeof Import>;

export const ImportPage = listResponse('ImportPage', Import);

export const ImportRowsQuery = closedObject({
  action: Type.Optional(ImportAction),
  outcome: Type.Optional(ImportOutcome),
  limit: int32({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items to return.' }),
  cursor,
});

const ImportChange = namedObject('ImportChange', {
  field: Type.String(),
  before: nullable(Type.String({ description: 'Null of an object that the row creates.' })),
  after: nullable(Type.String()),
});

export const ImportRow = namedObject('ImportRow', {
  line: Type.Integer({ description: 'Where the row begins in the file, from 1; 0 for an object that the file lacks.' }),
  key: Type.String({ description: 'The key of the object in its source.' }),
  action: ImportAction,
  outcome: nullable(ImportOutcome),
  objectKid: nullable(Type.String({ description: 'KID of the object; null before it exists.' })),
  changes: Type.Array(ImportChange),
  errors: Type.Array(ImportError),
});
export type ImportRow = Static<typeof ImportRow>;

export const ImportRowPage = namedObject('ImportRowPage', {
  items: Type.Array(ImportRow),
  hasMore: Type.Boolean({ description: 'True if more items follow.' }),
  nextCursor,
});

export const ImportApproval = namedBody('ImportApproval', {
  expectedRevision,
  allowPartial: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Applies what can be applied, in batches. Otherwise all is applied in one transaction, or nothing.',
    }),
  ),
  expectedMissing: Type.Optional(
    int32({
      minimum: 0,
      description:
        'How many objects the file lacks: needed if these are more than 5 % of those that earlier files had.',
    }),
  ),
});

export const KindParams = closedObject({ kind: ImportKind });

export const ExportQuery = closedObject({
  bankKid: Bank,
  ...csvReaderQuery,
});
