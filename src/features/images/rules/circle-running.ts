// Draws the running circle: a half ring that turns once in five seconds, and does not move for users who prefer reduced
// motion.

import type { Color } from '../../../lib/color.ts';
import { formatDocument, element } from '../../../lib/pages/svg.ts';
import { formatColorKey, formatFill } from './svg-colors.ts';
import type { ImageSize } from './image-parameters.ts';

export type CircleRunning = ImageSize & { readonly color: Color };

export const formatCircleRunningKey = ({ color, width, height }: CircleRunning): string =>
  `running-${formatColorKey(color)}-${width}x${height}`;

/** CSS rotates about the origin, so the half ring is drawn around it. */
const rotationStyle = element(
  'style',
  {},
  '@keyframes portal-turn{to{transform:rotate(360deg)}}' +
    '.portal-turn{transform-origin:0 0;animation:portal-turn 5s linear infinite}' +
    '@media (prefers-reduced-motion:reduce){.portal-turn{animation:none}}',
);

/** The upper half of a ring with an outer radius of 46 and rounded ends, in a square of 100. */
const halfRingPath = 'M-46 0a46 46 0 0 1 92 0a5 5 0 0 1-10 0a36 36 0 0 0-72 0a5 5 0 0 1-10 0z';

export function drawCircleRunning({ color, width, height }: CircleRunning): string {
  const scale = Math.min(width, height) / 100;
  return formatDocument(
    element(
      'svg',
      { width, height, viewBox: `0 0 ${width} ${height}` },
      rotationStyle,
      element(
        'g',
        { transform: `translate(${width / 2} ${height / 2})scale(${scale})` },
        element('path', { class: 'portal-turn', d: halfRingPath, fill: formatFill(color) }),
      ),
    ),
  );
}
