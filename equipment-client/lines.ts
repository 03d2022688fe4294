// The lines that a computer sends, and in which of its two streams each kind belongs.

export type StreamName = 'money' | 'samples';

export const streamNames: readonly StreamName[] = ['money', 'samples'];

/** What costs money or opens doors. Everything else goes to `samples`, so that it never delays these. */
const moneyKinds: ReadonlySet<string> = new Set(['use', 'pay', 'refund', 'access', 'booking', 'cancel']);

/** A line without its number. Its members are those that docs/equipment.md lists for its kind `t`. */
export type Line = { readonly t: string; readonly at?: string } & Readonly<Record<string, unknown>>;

export type NumberedLine = {
  readonly n: number;
  /** The line as it is sent: JSON, with its number. */
  readonly text: string;
};

export const streamOf = ({ t }: Line): StreamName => (moneyKinds.has(t) ? 'money' : 'samples');

const maxLineBytes = 16_384;

/** Throws where the service would refuse the line's whole request. */
export function formatLine(n: number, line: Line): string {
  const text = JSON.stringify({ n, ...line });
  if (Buffer.byteLength(text) > maxLineBytes) throw new RangeError(`a line has at most ${maxLineBytes} bytes`);
  return text;
}

const maxBatchLines = 1000;
/** 1 MiB, less room for the header. */
const maxBatchBytes = 1_048_576 - 4096;

/**
 * Takes as many lines from the first one as fit into a request: at least one, since no line is longer than a request.
 */
export function takeBatch(lines: Iterable<NumberedLine>, maxLines = maxBatchLines): NumberedLine[] {
  const batch: NumberedLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line.text) + 1;
    if (bytes > maxBatchBytes || batch.length >= maxLines) break;
    batch.push(line);
  }
  return batch;
}

/** What a line takes from the account of its key, in minor units; 0 where it takes nothing. */
export function consumptionOf({ t, amountMinor }: Line): number {
  if (t !== 'use' || typeof amountMinor !== 'string') return 0;
  return Math.max(0, -Number(amountMinor));
}
