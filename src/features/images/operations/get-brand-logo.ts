// GetBrandLogo, GetBrandText and GetBrandLogoText, with and without a width and a background: draws a logo.

import { drawLogo, formatLogoKey, parseLogoParameters, type LogoForm, type LogoParameters } from '../rules/logo.ts';
import type { RenderedImage, SvgRenderer } from '../process/image-renderer.ts';

export function getBrandLogo(form: LogoForm, parameters: LogoParameters, renderer: SvgRenderer): RenderedImage {
  const logo = parseLogoParameters(form, parameters);
  return renderer.renderSvg(formatLogoKey(logo), () => drawLogo(logo));
}
