// Logos, gradients and circles: pictures that a path describes completely, drawn as SVG for anyone who asks.

import type { Operation } from '../../http/operation.ts';
import { circleOperations } from './routes/circles.ts';
import { gradientOperations } from './routes/gradients.ts';
import { logoOperations } from './routes/logos.ts';
import { createImageOperationFactory, type RenderImage } from './image-operation.ts';

export function imagesRoutes({ render: renderers }: { readonly render: RenderImage }): Operation[] {
  return [
    ...logoOperations(createImageOperationFactory('logos', renderers)),
    ...gradientOperations(createImageOperationFactory('gradients', renderers)),
    ...circleOperations(createImageOperationFactory('circles', renderers)),
  ];
}
