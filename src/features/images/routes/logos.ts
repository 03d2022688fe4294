// The three logos, each without a size, of a width, and on a background.

import type { Operation } from '../../../http/operation.ts';
import { drawLogo, formatLogoKey, parseLogoParameters, type LogoForm, type LogoParameters } from '../rules/logo.ts';
import { LogoParams, LogoSizedParams, LogoWithBackgroundParams } from '../schemas.ts';
import type { DeclareImageOperation, ImageDescription } from '../image-operation.ts';

export function logoOperations(declare: DeclareImageOperation): Operation[] {
  return [
    ...operationsOfLogoForm(declare, 'brand', { id: 'GetBrandLogo', what: 'The symbol of the brand', ratio: '1:1' }),
    ...operationsOfLogoForm(declare, 'brand-text', {
      id: 'GetBrandText',
      what: 'The name of the brand',
      ratio: '590:111',
    }),
    ...operationsOfLogoForm(declare, 'brand-logo-text', {
      id: 'GetBrandLogoText',
      what: 'The symbol and the name of the brand',
      ratio: '5:1',
    }),
  ];
}

function operationsOfLogoForm(
  declare: DeclareImageOperation,
  form: LogoForm,
  { id, what: subject, ratio }: { id: string; what: string; ratio: string },
): Operation[] {
  const path = `/api/v1/logos/${form}/{color}`;
  const picture = (texts: LogoParameters): ImageDescription => {
    const logo = parseLogoParameters(form, texts);
    return { key: formatLogoKey(logo), draw: () => drawLogo(logo) };
  };
  return [
    declare({
      id,
      path: `${path}.svg`,
      summary: `${subject}, without a size of its own`,
      description: `Fits the place where it is shown, in the middle of it, in its proportions of ${ratio}.`,
      params: LogoParams,
      describeImage: picture,
    }),
    declare({
      id: `${id}Sized`,
      path: `${path}/{width}.svg`,
      summary: `${subject}, of a given width`,
      description: `The height follows from the proportions of ${ratio}.`,
      params: LogoSizedParams,
      describeImage: picture,
    }),
    declare({
      id: `${id}WithBackground`,
      path: `${path}/{background}/{width}.svg`,
      summary: `${subject} on a background, of a given width`,
      description: `The whole, with the room that the background leaves around it, has the proportions of ${ratio}.`,
      params: LogoWithBackgroundParams,
      describeImage: picture,
    }),
  ];
}
