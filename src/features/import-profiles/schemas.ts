// The schemas of the operations on import profiles, and what those on imports share with them.

import { Type, type Static } from 'typebox';
import { nameKeyword, namedBody, namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { closedObject, octets } from '../../http/schemas/schema-types.ts';
import { csvSeparators } from './formats/csv-scanner.ts';
import { textEncodings } from './formats/decode-text.ts';

export const ProfileName = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
  maxLength: 64,
  examples: ['danish-residents'],
});

export const fileOptions = {
  format: Type.Optional(
    namedEnum('ImportFormat', ['csv', 'json-lines'], 'The format of the file, if it is not to be detected.'),
  ),
  encoding: Type.Optional(
    namedEnum('ImportEncoding', textEncodings, 'The encoding of the file, if it is not to be detected.'),
  ),
  separator: Type.Optional(
    namedEnum('ImportSeparator', csvSeparators, 'What separates its cells, if it is not to be detected.'),
  ),
};

export const DetectedFile = namedObject('DetectedFile', {
  format: Type.String({ description: 'csv, json-lines or fixed-width.' }),
  encoding: Type.String({ description: 'The encoding of the file.' }),
  separator: nullable(Type.String({ description: 'What separates its cells; null if it is no CSV.' })),
  decimalComma: nullable(Type.Boolean({ description: 'Null if the first rows do not show it.' })),
  columns: Type.Array(Type.String(), { description: 'The fields that are read.' }),
  ignoredColumns: Type.Array(Type.String(), { description: 'Columns of the file that are not.' }),
});

export const ImportFailure = namedObject('ImportFailure', {
  code: Type.String({ description: 'docs/imports.md has the codes.' }),
  text: Type.String({ description: 'A sentence.' }),
  line: Type.Integer({ description: 'The line of the file; 0 if it is none.' }),
});

export const ImportError = namedObject('ImportError', {
  field: Type.String({ description: 'Empty if the error is one of the row.' }),
  code: Type.String({ description: 'docs/imports.md has the codes.' }),
  text: Type.String({ description: 'A sentence.' }),
});

export const ProfileParams = closedObject({ name: ProfileName });

const profileFields = {
  name: ProfileName,
  kind: Type.String({ description: 'What its rows are: a kind that can be imported, or another one.' }),
  version: nullable(Type.Integer({ description: 'Null of a profile that comes with the service.' })),
  builtIn: Type.Boolean({ description: 'Whether it comes with the service, and cannot be changed.' }),
};

const ImportProfileItem = namedObject('ImportProfileItem', profileFields);
export type ImportProfileItem = Static<typeof ImportProfileItem>;

export const ImportProfileList = namedObject('ImportProfileList', {
  items: Type.Array(ImportProfileItem, { description: 'In the order of their names.' }),
});
export type ImportProfileList = Static<typeof ImportProfileList>;

/** Its members are checked by the rules of profiles, which name every error. */
const ImportProfileDocument = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The profile, as docs/imports.md describes it.',
  [nameKeyword]: 'ImportProfileDocument',
});

export const ImportProfile = namedObject('ImportProfile', {
  ...profileFields,
  document: ImportProfileDocument,
  revision: nullable(Type.String({ description: 'For `expectedRevision`; null of one that cannot be changed.' })),
});
export type ImportProfile = Static<typeof ImportProfile>;

export const ImportProfileChange = namedBody('ImportProfileChange', {
  document: ImportProfileDocument,
  expectedRevision: Type.Optional(
    Type.String({ maxLength: 64, description: 'Revision that the caller has read. Without it, the profile is new.' }),
  ),
});

export const SampleQuery = closedObject({ ...fileOptions });

export const SampleFile = octets('The beginning of a file: what follows the first 64 KiB is not read.');

const ImportSampleField = namedObject('ImportSampleField', {
  field: Type.String(),
  value: Type.String({ description: 'A text, a date `YYYY-MM-DD`, or an amount in units of its last decimal.' }),
});

const ImportSampleRow = namedObject('ImportSampleRow', {
  line: Type.Integer({ description: 'Where the row begins in the file, from 1.' }),
  fields: Type.Array(ImportSampleField, { description: 'Those that are not empty and could be read.' }),
  errors: Type.Array(ImportError),
});

export const ImportSample = namedObject('ImportSample', {
  detected: nullable(DetectedFile),
  rows: Type.Array(ImportSampleRow, { description: 'The first 20.' }),
  failure: nullable(ImportFailure),
});
export type ImportSample = Static<typeof ImportSample>;
