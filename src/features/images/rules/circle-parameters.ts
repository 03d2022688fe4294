// Parses the path parameters of the circles.

import {
  addParameterError,
  parseColorParameter,
  parseColorsParameter,
  parseSizeParameters,
  throwIfInvalid,
  type SizeParameters,
  type ParameterErrors,
} from './image-parameters.ts';
import type { CircleGradient } from './circle-gradient.ts';
import type { CircleProgress } from './circle-progress.ts';
import type { CircleRunning } from './circle-running.ts';

type CircleGradientParameters = SizeParameters & { readonly colors: string };
export type CircleProgressParameters = SizeParameters & {
  readonly background: string;
  readonly colors: string;
  readonly percent: string;
};
type CircleRunningParameters = SizeParameters & { readonly color: string };

const circleParametersCode = 'invalid-circle-parameters';

export function parseCircleGradientParameters(texts: CircleGradientParameters): CircleGradient {
  const errors: ParameterErrors = [];
  const colors = parseColorsParameter(errors, texts.colors);
  const { width, height } = parseSizeParameters(errors, texts);
  throwIfInvalid(circleParametersCode, errors);
  return { colors, width, height };
}

export function parseCircleProgressParameters(texts: CircleProgressParameters): CircleProgress {
  const errors: ParameterErrors = [];
  const background = parseColorParameter(errors, 'background', texts.background);
  const colors = parseColorsParameter(errors, texts.colors);
  const percent = parsePercent(errors, texts.percent);
  const { width, height } = parseSizeParameters(errors, texts);
  throwIfInvalid(circleParametersCode, errors);
  return { background, colors, percent, width, height };
}

/** Accepts one colour. Two colours joined by a hyphen are not a colour name, and so are invalid. */
export function parseCircleRunningParameters(texts: CircleRunningParameters): CircleRunning {
  const errors: ParameterErrors = [];
  const color = parseColorParameter(errors, 'color', texts.color);
  const { width, height } = parseSizeParameters(errors, texts);
  throwIfInvalid(circleParametersCode, errors);
  return { color, width, height };
}

function parsePercent(errors: ParameterErrors, text: string): number {
  if (/^(?:0|[1-9]\d?|100)$/.test(text)) return Number(text);
  addParameterError(errors, 'percent', 'must be a whole number from 0 to 100');
  return 0;
}
