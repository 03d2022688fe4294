// The three circles, each in both forms.

import type { Operation } from '../../../http/operation.ts';
import { circleGradientName, drawCircleGradient } from '../circles/gradient.ts';
import {
  readCircleGradient,
  readCircleProgress,
  readCircleRunning,
  type CircleGradientTexts,
  type CircleProgressTexts,
  type CircleRunningTexts,
} from '../circles/parameters.ts';
import { circleProgressName, drawCircleProgress } from '../circles/progress.ts';
import { circleRunningName, drawCircleRunning } from '../circles/running.ts';
import * as schemas from '../schemas.ts';
import { bothSizes, type Declare, type Picture } from './picture.ts';

export function circleRoutes(declare: Declare): Operation[] {
  return [...gradient(declare), ...progress(declare), ...running(declare)];
}

function gradient(declare: Declare): Operation[] {
  return bothSizes(
    declare,
    {
      id: 'GetCircleGradient',
      path: '/api/v1/circles/gradient/{colors}',
      summary: 'A gradient around the middle',
      description: 'Fills the whole rectangle. The colours run clockwise, from the bottom once around to the bottom.',
      picture: (texts: CircleGradientTexts): Picture => {
        const circle = readCircleGradient(texts);
        return { key: circleGradientName(circle), draw: () => drawCircleGradient(circle) };
      },
    },
    [schemas.CircleGradientParams, schemas.CircleGradientSizedParams],
  );
}

function progress(declare: Declare): Operation[] {
  return bothSizes(
    declare,
    {
      id: 'GetCircleProgress',
      path: '/api/v1/circles/progress/{background}/{colors}/{percent}',
      summary: 'Progress as square marks around a ring',
      description:
        'As many marks as `percent` says, clockwise from the top. The colours are spread over all 100 places, so that ' +
        'a mark keeps its colour while others are added.',
      picture: (texts: CircleProgressTexts): Picture => {
        const circle = readCircleProgress(texts);
        return { key: circleProgressName(circle), draw: () => drawCircleProgress(circle) };
      },
    },
    [schemas.CircleProgressParams, schemas.CircleProgressSizedParams],
  );
}

function running(declare: Declare): Operation[] {
  return bothSizes(
    declare,
    {
      id: 'GetCircleRunning',
      path: '/api/v1/circles/running/{color}',
      summary: 'A turning half ring, for work that goes on',
      description: 'Turns once in five seconds, and stands still for readers who prefer reduced motion.',
      picture: (texts: CircleRunningTexts): Picture => {
        const circle = readCircleRunning(texts);
        return { key: circleRunningName(circle), draw: () => drawCircleRunning(circle) };
      },
    },
    [schemas.CircleRunningParams, schemas.CircleRunningSizedParams],
  );
}
