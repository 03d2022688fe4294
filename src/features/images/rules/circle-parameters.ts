// From the path segments of the circles to what is drawn.

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

export type CircleGradientParameters = SizeParameters & { readonly colors: string };
export type CircleProgressParameters = SizeParameters & {
  readonly background: string;
  readonly colors: string;
  readonly percent: string;
};
export type CircleRunningParameters = SizeParameters & { readonly color: string };

const circleParametersCode = 'invalid-circle-parameters';

export function parseCircleGradientParameters(texts: CircleGradientParameters): CircleGradient {
  const wrong: ParameterErrors = [];
  const colors = parseColorsParameter(wrong, texts.colors);
  const { width, height } = parseSizeParameters(wrong, texts);
  throwIfInvalid(circleParametersCode, wrong);
  return { colors, width, height };
}

export function parseCircleProgressParameters(texts: CircleProgressParameters): CircleProgress {
  const wrong: ParameterErrors = [];
  const background = parseColorParameter(wrong, 'background', texts.background);
  const colors = parseColorsParameter(wrong, texts.colors);
  const percent = parsePercent(wrong, texts.percent);
  const { width, height } = parseSizeParameters(wrong, texts);
  throwIfInvalid(circleParametersCode, wrong);
  return { background, colors, percent, width, height };
}

/** One colour: two joined by a hyphen are no colour's name. */
export function parseCircleRunningParameters(texts: CircleRunningParameters): CircleRunning {
  const wrong: ParameterErrors = [];
  const color = parseColorParameter(wrong, 'color', texts.color);
  const { width, height } = parseSizeParameters(wrong, texts);
  throwIfInvalid(circleParametersCode, wrong);
  return { color, width, height };
}

function parsePercent(wrong: ParameterErrors, text: string): number {
  if (/^(?:0|[1-9]\d?|100)$/.test(text)) return Number(text);
  addParameterError(wrong, 'percent', 'must be a whole number from 0 to 100');
  return 0;
}
