// GetCircleGradient and GetCircleGradientSized: draws a conic gradient.

import { drawCircleGradient, formatCircleGradientKey } from '../rules/circle-gradient.ts';
import { parseCircleGradientParameters, type CircleGradientParameters } from '../rules/circle-parameters.ts';
import type { RenderedImage, SvgRenderer } from '../process/image-renderer.ts';

export function getCircleGradient(parameters: CircleGradientParameters, renderer: SvgRenderer): RenderedImage {
  const gradient = parseCircleGradientParameters(parameters);
  return renderer.renderSvg(formatCircleGradientKey(gradient), () => drawCircleGradient(gradient));
}
