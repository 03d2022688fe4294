// Creates the file of a page to print, which shows when it was printed.

import { formatContentDisposition } from '../../lib/text/content-disposition.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { printedPageSecurityPolicy } from '../../lib/pages/printed-page.ts';
import type { PreparedFile } from './results.ts';

export const createPrintedFile = (
  fileName: string,
  printedAtMs2000: number,
  render: (printedAtUtc: string) => string,
): PreparedFile => ({
  body: new TextEncoder().encode(render(formatUtc(printedAtMs2000))),
  timelessBody: render(formatUtc(0)),
  mediaType: 'text/html; charset=utf-8',
  headers: {
    'content-disposition': formatContentDisposition('inline', fileName),
    'content-security-policy': printedPageSecurityPolicy,
  },
});
