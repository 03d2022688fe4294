// The lines in a file of a copy: the head of a base, before the bytes of the database, and the head of a part, before the
// bytes of its frames.

import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { WalPlace } from '../../../database/dialects/sqlite/wal/wal-format.ts';
import { BackupError } from './backup-error.ts';
import { parseJsonLine } from './row-lines.ts';

const Time = Type.Integer({ minimum: 0 });
const Count = Type.Integer({ minimum: 0 });
const Place = Type.Object({ frames: Count, checksum: Type.Tuple([Count, Count]) });

const BaseLine = Type.Object({
  tenant: Type.String(),
  generation: Type.String(),
  /** As in the name. */
  first: Count,
  last: Count,
  atMs: Time,
  /** What was committed until then is in it, with the parts up to `last`. */
  untilMs: Time,
});

const PartLine = Type.Object({
  tenant: Type.String(),
  generation: Type.String(),
  /** From 1 on, in each generation. */
  part: Type.Integer({ minimum: 1 }),
  /** The part with which the write-ahead log began. */
  logBegan: Type.Integer({ minimum: 1 }),
  /** What was committed until then is in the parts before. */
  sinceMs: Time,
  /** What was committed until then is in this part, or in those before. */
  untilMs: Time,
  /** Nothing in it was committed later. */
  readMs: Time,
  /** The header of the write-ahead log, in base64. */
  header: Type.String(),
  from: Place,
  to: Place,
  /** So many follow. */
  bytes: Type.Integer({ minimum: 1 }),
});

export type BaseHead = Static<typeof BaseLine>;
export type PartHead = Omit<Static<typeof PartLine>, 'from' | 'to'> & {
  readonly from: WalPlace;
  readonly to: WalPlace;
};

export const formatCopyLine = (line: BaseHead | PartHead): string => `${JSON.stringify(line)}\n`;

export const parseBaseHead = (line: string): BaseHead => {
  const parsed = parseJsonLine(line);
  if (Value.Check(BaseLine, parsed)) return parsed;
  throw new BackupError('has a head that is not one of a base');
};

export const parsePartHead = (line: string): PartHead => {
  const parsed = parseJsonLine(line);
  if (Value.Check(PartLine, parsed)) return parsed;
  throw new BackupError('has a head that is not one of a part');
};
