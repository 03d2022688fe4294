// The three circles, each in both forms.

import type { Operation } from '../../../http/operation.ts';
import { formatCircleGradientKey, drawCircleGradient } from '../rules/circle-gradient.ts';
import {
  parseCircleGradientParameters,
  parseCircleProgressParameters,
  parseCircleRunningParameters,
  type CircleGradientParameters,
  type CircleProgressParameters,
  type CircleRunningParameters,
} from '../rules/circle-parameters.ts';
import { formatCircleProgressKey, drawCircleProgress } from '../rules/circle-progress.ts';
import { formatCircleRunningKey, drawCircleRunning } from '../rules/circle-running.ts';
import * as schemas from '../schemas.ts';
import { declareDefaultAndSized, type DeclareImageOperation, type ImageDescription } from '../image-operation.ts';

export function circleOperations(declare: DeclareImageOperation): Operation[] {
  return [
    ...circleGradientOperations(declare),
    ...circleProgressOperations(declare),
    ...circleRunningOperations(declare),
  ];
}

function circleGradientOperations(declare: DeclareImageOperation): Operation[] {
  return declareDefaultAndSized(
    declare,
    {
      id: 'GetCircleGradient',
      path: '/api/v1/circles/gradient/{colors}',
      summary: 'A gradient around the middle',
      description: 'Fills the whole rectangle. The colours run clockwise, from the bottom once around to the bottom.',
      describeImage: (texts: CircleGradientParameters): ImageDescription => {
        const circle = parseCircleGradientParameters(texts);
        return { key: formatCircleGradientKey(circle), draw: () => drawCircleGradient(circle) };
      },
    },
    [schemas.CircleGradientParams, schemas.CircleGradientSizedParams],
  );
}

function circleProgressOperations(declare: DeclareImageOperation): Operation[] {
  return declareDefaultAndSized(
    declare,
    {
      id: 'GetCircleProgress',
      path: '/api/v1/circles/progress/{background}/{colors}/{percent}',
      summary: 'Progress as square marks around a ring',
      description:
        'As many marks as `percent` says, clockwise from the top. The colours are spread over all 100 places, so that ' +
        'a mark keeps its colour while others are added.',
      describeImage: (texts: CircleProgressParameters): ImageDescription => {
        const circle = parseCircleProgressParameters(texts);
        return { key: formatCircleProgressKey(circle), draw: () => drawCircleProgress(circle) };
      },
    },
    [schemas.CircleProgressParams, schemas.CircleProgressSizedParams],
  );
}

function circleRunningOperations(declare: DeclareImageOperation): Operation[] {
  return declareDefaultAndSized(
    declare,
    {
      id: 'GetCircleRunning',
      path: '/api/v1/circles/running/{color}',
      summary: 'A turning half ring, for work that goes on',
      description: 'Turns once in five seconds, and stands still for readers who prefer reduced motion.',
      describeImage: (texts: CircleRunningParameters): ImageDescription => {
        const circle = parseCircleRunningParameters(texts);
        return { key: formatCircleRunningKey(circle), draw: () => drawCircleRunning(circle) };
      },
    },
    [schemas.CircleRunningParams, schemas.CircleRunningSizedParams],
  );
}
