// The shape of a profile. It is closed: a property that is misspelled is an error.

import { Type, type Static } from 'typebox';
import { csvSeparators } from '../formats/csv-scanner.ts';
import { textEncodings } from '../formats/decode-text.ts';
import { maxColumns, maxRowLength } from '../formats/source-row.ts';

const closed = { additionalProperties: false };
const place = Type.Integer({ minimum: 1, maximum: maxRowLength });
const text = Type.String({ maxLength: 1000 });

/** The name of a column, its place counted from 1, or the characters that it takes in a line. */
const Source = Type.Union([
  Type.String({ minLength: 1, maxLength: 200 }),
  Type.Object({ at: Type.Integer({ minimum: 1, maximum: maxColumns }) }, closed),
  Type.Object({ start: place, length: Type.Integer({ minimum: 1, maximum: 1000 }) }, closed),
]);

const Sign = Type.Union([
  Type.Object({ at: Type.Literal('leading') }, closed),
  Type.Object({ at: Type.Literal('trailing') }, closed),
  Type.Object({ at: Type.Literal('column'), from: Source, minus: text, plus: text }, closed),
]);

const Column = Type.Object(
  {
    field: Type.Optional(Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,63}$' })),
    from: Type.Optional(Source),
    /** What the file has to have there, or what the field is where the file does not have it. */
    constant: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    /** The texts of the file, and ours for each. */
    map: Type.Optional(Type.Record(Type.String({ minLength: 1, maxLength: 1000 }), text)),
    date: Type.Optional(Type.String({ maxLength: 32 })),
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
    /** `implied`: the last digits are the decimals, without a mark. */
    decimal: Type.Optional(Type.Enum([',', '.', 'implied'])),
    sign: Type.Optional(Sign),
    /** The country of phone numbers without the code of one (ISO 3166-1). */
    phoneRegion: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
    trim: Type.Optional(Type.Boolean()),
    /** Whether apostrophes are taken off that guard formulas in our own CSV files. */
    unguard: Type.Optional(Type.Boolean()),
  },
  closed,
);

export const ProfileSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
    /** What its rows are. */
    kind: Type.String({ pattern: '^[a-z][a-z-]{0,63}$' }),
    format: Type.Enum(['csv', 'json-lines', 'fixed-width']),
    encoding: Type.Optional(Type.Enum([...textEncodings])),
    separator: Type.Optional(Type.Enum([...csvSeparators])),
    header: Type.Boolean(),
    columns: Type.Array(Column, { minItems: 1, maxItems: maxColumns }),
  },
  closed,
);

export type ProfileSource = Static<typeof Source>;
export type ProfileColumnDocument = Readonly<Static<typeof Column>>;
export type ProfileDocument = Readonly<Static<typeof ProfileSchema>>;
