// From the path segments of the circles to what is drawn.

import { note, readColor, readColors, readSize, refuseWrong, type SizeTexts, type Wrong } from '../parameters.ts';
import type { CircleGradient } from './gradient.ts';
import type { CircleProgress } from './progress.ts';
import type { CircleRunning } from './running.ts';

export type CircleGradientTexts = SizeTexts & { readonly colors: string };
export type CircleProgressTexts = SizeTexts & {
  readonly background: string;
  readonly colors: string;
  readonly percent: string;
};
export type CircleRunningTexts = SizeTexts & { readonly color: string };

const code = 'invalid-circle-parameters';

export function readCircleGradient(texts: CircleGradientTexts): CircleGradient {
  const wrong: Wrong = [];
  const colors = readColors(wrong, texts.colors);
  const { width, height } = readSize(wrong, texts);
  refuseWrong(code, wrong);
  return { colors, width, height };
}

export function readCircleProgress(texts: CircleProgressTexts): CircleProgress {
  const wrong: Wrong = [];
  const background = readColor(wrong, 'background', texts.background);
  const colors = readColors(wrong, texts.colors);
  const percent = readPercent(wrong, texts.percent);
  const { width, height } = readSize(wrong, texts);
  refuseWrong(code, wrong);
  return { background, colors, percent, width, height };
}

/** One colour: two joined by a hyphen are no colour's name. */
export function readCircleRunning(texts: CircleRunningTexts): CircleRunning {
  const wrong: Wrong = [];
  const color = readColor(wrong, 'color', texts.color);
  const { width, height } = readSize(wrong, texts);
  refuseWrong(code, wrong);
  return { color, width, height };
}

function readPercent(wrong: Wrong, text: string): number {
  if (/^(?:0|[1-9]\d?|100)$/.test(text)) return Number(text);
  note(wrong, 'percent', 'must be a whole number from 0 to 100');
  return 0;
}
