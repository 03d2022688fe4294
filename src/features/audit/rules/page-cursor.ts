// Formats and parses the position in the audit log at which a page ends, as clients pass it on.

export type AuditPosition = {
  /** MS2000. */
  readonly at: number;
  readonly chain: number;
  readonly sequence: number;
};

const cursorPattern = /^(-?\d{1,16})\.(\d{1,16})\.(\d{1,16})$/;

export const formatAuditCursor = ({ at, chain, sequence }: AuditPosition): string =>
  Buffer.from(`${at}.${chain}.${sequence}`).toString('base64url');

/** Undefined for a text that {@link formatAuditCursor} does not return for any position. */
export function parseAuditCursor(cursor: string): AuditPosition | undefined {
  const numbers = cursorPattern.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.slice(1).map(Number);
  if (numbers === undefined || !numbers.every(Number.isSafeInteger)) return undefined;
  const [at = 0, chain = 0, sequence = 0] = numbers;
  const position = { at, chain, sequence };
  return formatAuditCursor(position) === cursor ? position : undefined;
}
