// Texts of a chart, cut to the room that they have.

import { element, type Svg } from '../../../lib/svg.ts';
import { estimateTextWidth, fitText } from '../forms/text-width.ts';
import { colors } from './chart-style.ts';

export type TextOptions = {
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly size: number;
  readonly maxWidth?: number;
  readonly anchor?: 'middle' | 'end';
  readonly color?: string;
  readonly isBold?: boolean;
};

/** Bold letters are wider. */
export const boldWidth = 1.08;

export const measureText = (text: string, size: number, isBold = false): number =>
  estimateTextWidth(text, size) * (isBold ? boldWidth : 1);

export function drawText(
  text: string,
  { x, y, size, maxWidth, anchor, color = colors.text, isBold }: TextOptions,
): Svg {
  const shown = maxWidth === undefined ? text : fitText(text, size, isBold === true ? maxWidth / boldWidth : maxWidth);
  return element(
    'text',
    {
      x: round(x),
      y: round(y),
      'font-size': size,
      'font-weight': isBold === true ? 600 : undefined,
      'text-anchor': anchor,
      fill: color,
    },
    // The whole text is shown when one points at it.
    ...(shown === text ? [text] : [element('title', {}, text), shown]),
  );
}

export const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Parts in lines that are no wider than that. */
export function flowParts(parts: readonly string[], size: number, maxWidth: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = lines.length === 0 ? undefined : `${lines.at(-1)} · ${part}`;
    if (longer !== undefined && estimateTextWidth(longer, size) <= maxWidth) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
