// The other lines of a backup's content: the header, the beginning of each table, and the trailer.

import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { CopyError } from '../../../../sqlite-follower/copy-error.ts';
import { parseJsonLine } from './row-lines.ts';

const Names = Type.Array(Type.String(), { minItems: 1 });

const HeaderLine = Type.Object({
  tenant: Type.String(),
  engine: Type.String(),
  /** The applied migrations, in order. */
  schema: Names,
  writtenAtUtc: Type.String(),
  /** The version of the service that wrote it. */
  version: Type.String(),
  /** Tables of the schema that are not in the backup. */
  leftOut: Type.Array(Type.String()),
});

const TableLine = Type.Object({ table: Type.String(), columns: Names, key: Names });

const TrailerLine = Type.Object({ rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })) });

export type BackupHeader = Static<typeof HeaderLine>;
export type BackupTable = Static<typeof TableLine>;
/** How many rows each table has. */
export type BackupTrailer = Static<typeof TrailerLine>;

export const formatContentLine = (line: BackupHeader | BackupTable | BackupTrailer): string => JSON.stringify(line);

export function parseHeaderLine(line: string): BackupHeader {
  const parsed = parseJsonLine(line);
  if (Value.Check(HeaderLine, parsed)) return parsed;
  throw new CopyError('the header lacks a field, or has one of another type');
}

export function parseTableOrTrailerLine(line: string): BackupTable | BackupTrailer {
  const parsed = parseJsonLine(line);
  if (Value.Check(TableLine, parsed) || Value.Check(TrailerLine, parsed)) return parsed;
  throw new CopyError('it is neither a row, nor the beginning of a table, nor the end');
}
