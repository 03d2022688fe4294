// The three logos, each without a size, of a width, and on a background.

import type { Operation } from '../../../http/operation.ts';
import { drawLogo, logoName, readLogo, type LogoForm, type LogoTexts } from '../logos.ts';
import { LogoParams, LogoSizedParams, LogoWithBackgroundParams } from '../schemas.ts';
import type { Declare, Picture } from './picture.ts';

export function logoRoutes(declare: Declare): Operation[] {
  return [
    ...formsOf(declare, 'brand', { id: 'GetBrandLogo', what: 'The symbol of the brand', ratio: '1:1' }),
    ...formsOf(declare, 'brand-text', { id: 'GetBrandText', what: 'The name of the brand', ratio: '590:111' }),
    ...formsOf(declare, 'brand-logo-text', {
      id: 'GetBrandLogoText',
      what: 'The symbol and the name of the brand',
      ratio: '5:1',
    }),
  ];
}

function formsOf(
  declare: Declare,
  form: LogoForm,
  { id, what, ratio }: { id: string; what: string; ratio: string },
): Operation[] {
  const path = `/api/v1/logos/${form}/{color}`;
  const picture = (texts: LogoTexts): Picture => {
    const logo = readLogo(form, texts);
    return { key: logoName(logo), draw: () => drawLogo(logo) };
  };
  return [
    declare({
      id,
      path: `${path}.svg`,
      summary: `${what}, without a size of its own`,
      description: `Fits the place where it is shown, in the middle of it, in its proportions of ${ratio}.`,
      params: LogoParams,
      picture,
    }),
    declare({
      id: `${id}Sized`,
      path: `${path}/{width}.svg`,
      summary: `${what}, of a given width`,
      description: `The height follows from the proportions of ${ratio}.`,
      params: LogoSizedParams,
      picture,
    }),
    declare({
      id: `${id}WithBackground`,
      path: `${path}/{background}/{width}.svg`,
      summary: `${what} on a background, of a given width`,
      description: `The whole, with the room that the background leaves around it, has the proportions of ${ratio}.`,
      params: LogoWithBackgroundParams,
      picture,
    }),
  ];
}
