// Draws the texts of a graph, cut to the available width.

import { element, type Svg } from '../../../lib/pages/svg.ts';
import { estimateTextWidth, fitText } from '../formats/text-width.ts';
import { colors } from './graph-style.ts';

type DrawTextOptions = {
  readonly x: number;
  /** The position of the baseline. */
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
  { x, y, size, maxWidth, anchor, color = colors.text, isBold }: DrawTextOptions,
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
    // The whole text is shown as a tooltip.
    ...(shown === text ? [text] : [element('title', {}, text), shown]),
  );
}

export const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Joins parts into lines of at most this width. */
export function flowParts(parts: readonly string[], size: number, maxWidth: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = lines.length === 0 ? undefined : `${lines.at(-1)} · ${part}`;
    if (longer !== undefined && estimateTextWidth(longer, size) <= maxWidth) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
