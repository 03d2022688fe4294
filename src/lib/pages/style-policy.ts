// Creates the Content-Security-Policy of a page with one style in it, and without scripts.

import { createHash } from 'node:crypto';

/** @param others what the page loads besides, such as `img-src 'self'` */
export const createStylePolicy = (style: string, ...others: string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...others,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
