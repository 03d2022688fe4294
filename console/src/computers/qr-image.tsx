// Draws a text as a QR code: dark on light, also where the screen is dark, since that is what cameras expect.

import type { JSX } from 'react';
import { encodeQrCode } from './qr-code.ts';
import styles from './qr-image.module.css';

export function QrImage({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const modules = encodeQrCode(text);
  const size = modules.length;
  const path = modules
    .flatMap((row, down) => row.map((isDark, right) => (isDark ? `M${right} ${down}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  );
}
