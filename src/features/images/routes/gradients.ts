// The linear gradient, in both forms.

import type { Operation } from '../../../http/operation.ts';
import {
  drawLinearGradient,
  formatLinearGradientKey,
  parseLinearGradientParameters,
  type LinearGradientParameters,
} from '../rules/linear-gradient.ts';
import { LinearGradientParams, LinearGradientSizedParams } from '../schemas.ts';
import { declareDefaultAndSized, type DeclareImageOperation, type ImageDescription } from '../image-operation.ts';

export function gradientOperations(declare: DeclareImageOperation): Operation[] {
  return declareDefaultAndSized(
    declare,
    {
      id: 'GetLinearGradient',
      path: '/api/v1/gradients/linear/{colors}/{angle}',
      summary: 'A linear gradient',
      description:
        'Laid out as CSS does it: its line passes the middle, and is just so long that the first and the last colour ' +
        'meet the corners farthest along it. Next to `transparent` a colour fades without greying.',
      describeImage: (texts: LinearGradientParameters): ImageDescription => {
        const gradient = parseLinearGradientParameters(texts);
        return { key: formatLinearGradientKey(gradient), draw: () => drawLinearGradient(gradient) };
      },
    },
    [LinearGradientParams, LinearGradientSizedParams],
  );
}
