// Logos, gradients and circles: pictures that a path describes completely, drawn as SVG for anyone who asks.

import type { Operation } from '../../http/operation.ts';
import { circleRoutes } from './routes/circles.ts';
import { gradientRoutes } from './routes/gradients.ts';
import { logoRoutes } from './routes/logos.ts';
import { declarer, type Render } from './routes/picture.ts';

export function imagesRoutes({ render }: { readonly render: Render }): Operation[] {
  return [
    ...logoRoutes(declarer('logos', render)),
    ...gradientRoutes(declarer('gradients', render)),
    ...circleRoutes(declarer('circles', render)),
  ];
}
