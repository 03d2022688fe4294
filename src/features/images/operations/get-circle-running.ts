// GetCircleRunning and GetCircleRunningSized: draws a spinning half ring.

import { drawCircleRunning, formatCircleRunningKey } from '../rules/circle-running.ts';
import { parseCircleRunningParameters, type CircleRunningParameters } from '../rules/circle-parameters.ts';
import type { RenderedImage, SvgRenderer } from '../process/image-renderer.ts';

export function getCircleRunning(parameters: CircleRunningParameters, renderer: SvgRenderer): RenderedImage {
  const running = parseCircleRunningParameters(parameters);
  return renderer.renderSvg(formatCircleRunningKey(running), () => drawCircleRunning(running));
}
