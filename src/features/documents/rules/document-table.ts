// Defines the parts of a document, and the table that all its formats show.

import type { ValueKind, ValueType } from '../../units/catalogue/value-definition.ts';
import type { UnitType } from '../../places/rules/unit-types.ts';

export type SampleColumn = {
  readonly name: string;
  readonly kind: ValueKind;
  /** English. */
  readonly label: string;
  readonly valueType: ValueType;
  /** UCUM. */
  readonly unitOfMeasure: string | null;
  /** The names of an enum's values, in the order of their scale. */
  readonly options: readonly string[];
  /** Its number only grows, as that of a meter. */
  readonly isCounter: boolean;
};

/** A document and its unit, without its samples. */
export type DocumentHead = {
  readonly documentKid: string;
  readonly unitKid: string;
  readonly unitName: string;
  readonly unitType: UnitType;
  readonly locationName: string;
  /** IANA name of the location's time zone. */
  readonly timeZone: string;
  readonly finished: boolean;
  /** The last contact of a unit that is offline before its document has finished; otherwise null. */
  readonly silentSinceMs2000: number | null;
  /** Both bounds are inclusive. */
  readonly fromMs2000: number;
  readonly throughMs2000: number;
  readonly columns: readonly SampleColumn[];
};

/** The samples of a document, one at each index, in order of time. A column has one value at a time. */
export type DocumentSamples = {
  readonly ms2000: readonly number[];
  /** The index of the column. */
  readonly columns: readonly number[];
  /** The stored texts; null is a stored null. */
  readonly texts: readonly (string | null)[];
};

/** A sample: the original text, and the finite double that it spells, if any. */
export type SampleValue = { readonly text: string | null; readonly value: number | null };

export type SampleRow = {
  readonly ms2000: number;
  /** ISO 8601, UTC. */
  readonly utc: string;
  /** In the order of the columns; null if there was no sample. */
  readonly cells: readonly (SampleValue | null)[];
};

export type SampleTable = DocumentHead & { readonly rows: readonly SampleRow[] };
