// Formats the file name of a document. Names sort by unit, then by the local time at which the document began.

import { formatContentDisposition, toFileNamePart } from '../../../lib/text/content-disposition.ts';
import { LocalClock } from '../../../lib/time/local-clock.ts';
import type { DocumentHead } from './document-table.ts';

/** CSV and Excel files are saved, the others shown. */
const attachments = new Set(['csv', 'xls']);

export function formatFileHeader(extension: string, head: DocumentHead): string {
  const type = attachments.has(extension) ? 'attachment' : 'inline';
  return formatContentDisposition(type, `${formatFileName(head)}.${extension}`);
}

/** `Washer 3 2026-06-15 10-59 D5312` */
function formatFileName({ unitName, documentKid, timeZone, fromMs2000 }: DocumentHead): string {
  const [day = '', time = ''] = new LocalClock(timeZone).formatTime(fromMs2000).split('T');
  const [, tag = ''] = /-(D\d+)$/.exec(documentKid) ?? [];
  return [toFileNamePart(unitName), day, time.slice(0, 5).replace(':', '-'), tag]
    .filter((part) => part !== '')
    .join(' ');
}
