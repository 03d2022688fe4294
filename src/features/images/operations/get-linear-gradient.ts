// GetLinearGradient and GetLinearGradientSized: draws a linear gradient.

import {
  drawLinearGradient,
  formatLinearGradientKey,
  parseLinearGradientParameters,
  type LinearGradientParameters,
} from '../rules/linear-gradient.ts';
import type { RenderedImage, SvgRenderer } from '../process/image-renderer.ts';

export function getLinearGradient(parameters: LinearGradientParameters, renderer: SvgRenderer): RenderedImage {
  const gradient = parseLinearGradientParameters(parameters);
  return renderer.renderSvg(formatLinearGradientKey(gradient), () => drawLinearGradient(gradient));
}
