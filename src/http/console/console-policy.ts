// The Content-Security-Policy of the console: scripts and styles of this host's files alone, and no text that becomes
// markup (Trusted Types).

import { createHash } from 'node:crypto';

// React Aria adds these style elements at run time: the first one for what can be pressed, the second one while a dialog
// is open on iOS. The policy names their hashes, so that no other style is allowed.
const addedStyles = [
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
];

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

export const consoleHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${addedStyles.map(hashOf).join(' ')}`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;
