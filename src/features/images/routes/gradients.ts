// The linear gradient, in both forms.

import type { Operation } from '../../../http/operation.ts';
import { drawLinearGradient, linearGradientName, readLinearGradient, type LinearGradientTexts } from '../gradients.ts';
import { LinearGradientParams, LinearGradientSizedParams } from '../schemas.ts';
import { bothSizes, type Declare, type Picture } from './picture.ts';

export function gradientRoutes(declare: Declare): Operation[] {
  return bothSizes(
    declare,
    {
      id: 'GetLinearGradient',
      path: '/api/v1/gradients/linear/{colors}/{angle}',
      summary: 'A linear gradient',
      description:
        'Laid out as CSS does it: its line passes the middle, and is just so long that the first and the last colour ' +
        'meet the corners farthest along it. Next to `transparent` a colour fades without greying.',
      picture: (texts: LinearGradientTexts): Picture => {
        const gradient = readLinearGradient(texts);
        return { key: linearGradientName(gradient), draw: () => drawLinearGradient(gradient) };
      },
    },
    [LinearGradientParams, LinearGradientSizedParams],
  );
}
