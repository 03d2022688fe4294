// Draws a text as a QR code: dark on light, also where the screen is dark, since that is what cameras expect.

import type { JSX } from 'react';
import { encodeQrCode } from './qr-code.ts';

/** Light modules around the symbol (ISO/IEC 18004, 9.1). */
const quietZone = 4;

export function QrImage({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const modules = encodeQrCode(text);
  const size = modules.length + 2 * quietZone;
  const path = modules
    .flatMap((row, down) =>
      row.map((isDark, right) => (isDark ? `M${right + quietZone} ${down + quietZone}h1v1h-1z` : '')),
    )
    .join('');
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  );
}
