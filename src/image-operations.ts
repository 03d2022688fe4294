// Makes the operations of images and of icons, which share a cache.

import { createIconRenderer } from './features/icons/process/icon-renderer.ts';
import { iconsRoutes } from './features/icons/routes.ts';
import type { ImageCaches } from './features/images/process/image-caches.ts';
import { ImageRenderer } from './features/images/process/image-renderer.ts';
import { imagesRoutes } from './features/images/routes.ts';
import type { Operation } from './http/operations/operation.ts';

export function createImageOperations(caches: ImageCaches, clock: () => number): Operation[] {
  const { renderVersion } = caches;
  const dependencies = { renderVersion, cache: caches.svgImages };
  const imageRenderers = {
    logos: new ImageRenderer('logos', dependencies),
    gradients: new ImageRenderer('gradients', dependencies),
    circles: new ImageRenderer('circles', dependencies),
  };
  const iconRenderer = new ImageRenderer('icons', { renderVersion, cache: caches.icons, sendsLastModified: true });
  return [...imagesRoutes(imageRenderers), ...iconsRoutes({ clock, renderIcon: createIconRenderer(iconRenderer) })];
}
