// GetCircleProgress and GetCircleProgressSized: draws progress as marks around a ring.

import { drawCircleProgress, formatCircleProgressKey } from '../rules/circle-progress.ts';
import { parseCircleProgressParameters, type CircleProgressParameters } from '../rules/circle-parameters.ts';
import type { RenderedImage, SvgRenderer } from '../process/image-renderer.ts';

export function getCircleProgress(parameters: CircleProgressParameters, renderer: SvgRenderer): RenderedImage {
  const progress = parseCircleProgressParameters(parameters);
  return renderer.renderSvg(formatCircleProgressKey(progress), () => drawCircleProgress(progress));
}
