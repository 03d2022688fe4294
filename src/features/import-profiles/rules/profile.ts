// A profile says how the rows of a file become fields, and how fields become a line: a small JSON document, which this
// checks. Amounts are whole numbers in units of their last decimal (bigint), dates are `yyyy-MM-dd`.

import { Errors } from 'typebox/value';
import type { FixedWidthColumn } from '../formats/fixed-width-reader.ts';
import { formatJsonPath } from './json-path.ts';
import { createDateFormat, type DateFormat } from './profile-dates.ts';
import {
  ProfileSchema,
  type ProfileColumnDocument,
  type ProfileDocument,
  type ProfileSource,
} from './profile-schema.ts';

export type ProfileError = { readonly path: string; readonly message: string };

/** How the columns of a profile say where their texts stand. */
export type ProfileAddressing = 'names' | 'positions' | 'ranges';

export type ProfileColumn = ProfileColumnDocument & {
  /** The text of the row that it is read from; undefined for a constant that no row has. */
  readonly key: string | undefined;
  /** That of the cell with the sign. */
  readonly signKey: string | undefined;
  readonly dateFormat: DateFormat | undefined;
  /** The text of the file for each text of ours. */
  readonly sourceTexts: ReadonlyMap<string, string> | undefined;
};

export type Profile = Omit<ProfileDocument, 'columns'> & {
  readonly columns: readonly ProfileColumn[];
  readonly addressing: ProfileAddressing;
  /** The columns of a file of fixed width. */
  readonly ranges: readonly FixedWidthColumn[];
};

/** A parsed JSON value -> the profile, or every reason why it is none. */
export function parseProfile(document: unknown): { profile: Profile } | { errors: readonly ProfileError[] } {
  const shapeErrors = listShapeErrors(document);
  if (shapeErrors.length > 0) return { errors: shapeErrors };
  const profile = createProfile(document as ProfileDocument);
  const errors = [...listProfileErrors(profile), ...listSourceErrors(profile)];
  return errors.length > 0 ? { errors } : { profile };
}

const unionTexts: Readonly<Record<string, string>> = {
  from: 'must be the name of a column, {"at": number}, or {"start": number, "length": number}',
  sign: 'must be {"at": "leading"}, {"at": "trailing"}, or {"at": "column", "from": …, "minus": text, "plus": text}',
};

/** One error for each place: that of a union says what it can be, not why it is none of these. */
function listShapeErrors(document: unknown): ProfileError[] {
  const messages = new Map<string, string>();
  for (const { instancePath, schemaPath, keyword, message } of Errors(ProfileSchema, document)) {
    // The error of the object names the same property.
    if (keyword === 'additionalProperties') continue;
    const [union, , name = ''] = /^(\/columns\/\d+)\/(from|sign)/.exec(instancePath) ?? [];
    const isUnion = union !== undefined && schemaPath.includes('/anyOf');
    const path = formatJsonPath(isUnion ? union : instancePath) || 'profile';
    const text = isUnion ? unionTexts[name] : keyword === 'boolean' ? 'is not a property of a profile' : message;
    if (!messages.has(path)) messages.set(path, text ?? message);
  }
  return [...messages].map(([path, message]) => ({ path, message }));
}

const keyOf = (from: ProfileSource): string => {
  if (typeof from === 'string') return from;
  return 'at' in from ? String(from.at) : `${from.start}+${from.length}`;
};

const addressingOf = (from: ProfileSource): ProfileAddressing => {
  if (typeof from === 'string') return 'names';
  return 'at' in from ? 'positions' : 'ranges';
};

/** Returns where the texts of a column stand: its own, and that of its sign. */
const sourcesOf = ({ from, sign }: ProfileColumnDocument): readonly ProfileSource[] => [
  ...(from === undefined ? [] : [from]),
  ...(sign?.at === 'column' ? [sign.from] : []),
];

function createProfile(document: ProfileDocument): Profile {
  const [first] = document.columns.flatMap(sourcesOf);
  return {
    ...document,
    addressing: first === undefined ? 'names' : addressingOf(first),
    columns: document.columns.map((column) => ({
      ...column,
      key: column.from === undefined ? undefined : keyOf(column.from),
      signKey: column.sign?.at === 'column' ? keyOf(column.sign.from) : undefined,
      dateFormat: column.date === undefined ? undefined : createDateFormat(column.date),
      // If two texts of the file are one of ours, the first is written.
      sourceTexts:
        column.map &&
        new Map(
          Object.entries(column.map)
            .toReversed()
            .map(([text, own]) => [own, text]),
        ),
    })),
    ranges: document.columns.flatMap((column) =>
      sourcesOf(column).flatMap((from) =>
        typeof from === 'string' || 'at' in from
          ? []
          : [{ ...from, key: keyOf(from), isExact: column.decimals !== undefined || column.date !== undefined }],
      ),
    ),
  };
}

function listProfileErrors({ format, header, separator, addressing, columns }: Profile): ProfileError[] {
  const errors: ProfileError[] = [];
  const refuse = (path: string, message: string): void => void errors.push({ path, message });
  if (separator !== undefined && format !== 'csv') refuse('separator', 'is only for the format csv');
  if (header && format === 'json-lines') refuse('header', 'must be false: every line has its names');
  if ((format === 'fixed-width') !== (addressing === 'ranges'))
    refuse('columns', 'must be at {"start", "length"} in the format fixed-width, and in no other');
  if (format === 'json-lines' && addressing === 'positions')
    refuse('columns', 'must have names in the format json-lines');
  if (format === 'csv' && addressing === 'names' && !header) refuse('header', 'must be true where columns have names');
  const fields = new Set<string>();
  for (const [index, column] of columns.entries()) {
    if (column.field !== undefined && fields.has(column.field))
      refuse(`columns[${index}].field`, 'is that of another column');
    if (column.field !== undefined) fields.add(column.field);
    for (const [name, message] of columnErrors(column, format)) refuse(`columns[${index}]${name}`, message);
  }
  return errors;
}

function columnErrors(column: ProfileColumn, format: Profile['format']): [string, string][] {
  const { field, from, constant, date, dateFormat, decimals, decimal, sign, map, phoneRegion, unguard } = column;
  const kinds = [map, date, decimals, phoneRegion].filter((kind) => kind !== undefined).length;
  const checks: [boolean, string, string][] = [
    [from === undefined && constant === undefined, '', 'must have from or constant'],
    [field === undefined && (from === undefined || constant === undefined), '', 'must have a field'],
    [constant !== undefined && kinds > 0, '.constant', 'is a text as it is: no map, date, decimals or phoneRegion'],
    [kinds > 1, '', 'must have one of map, date, decimals and phoneRegion at most'],
    [decimal !== undefined && decimals === undefined, '.decimal', 'needs decimals'],
    [sign !== undefined && decimals === undefined, '.sign', 'needs decimals'],
    // Written with a point, 1.234 could be read as thousands.
    [decimals === 3 && decimal === undefined, '.decimal', 'must be given with three decimals'],
    [date !== undefined && dateFormat === undefined, '.date', 'must have yyyy or yy, MM and dd, each once'],
    [unguard === true && (format !== 'csv' || kinds > 0), '.unguard', 'is only for texts of the format csv'],
    [Object.values(map ?? {}).includes(''), '.map', 'must not give an empty text'],
    [sign?.at === 'column' && sign.minus.trim() === sign.plus.trim(), '.sign', 'must tell minus from plus'],
  ];
  return checks.flatMap(([isWrong, name, message]) => (isWrong ? [[name, message]] : []));
}

/** Each text of a row belongs to one column: a line could not be written otherwise. */
function listSourceErrors({ addressing, columns }: Profile): ProfileError[] {
  const errors: ProfileError[] = [];
  const taken: ProfileSource[] = [];
  for (const [index, column] of columns.entries())
    for (const from of sourcesOf(column)) {
      const path = `columns[${index}].from`;
      if (addressingOf(from) !== addressing) errors.push({ path, message: 'must be of the same kind in every column' });
      else if (taken.some((other) => overlaps(from, other)))
        errors.push({ path, message: 'is that of another column' });
      taken.push(from);
    }
  return errors;
}

function overlaps(one: ProfileSource, other: ProfileSource): boolean {
  if (typeof one === 'string' || typeof other === 'string' || 'at' in one || 'at' in other)
    return keyOf(one) === keyOf(other);
  return one.start < other.start + other.length && other.start < one.start + one.length;
}
