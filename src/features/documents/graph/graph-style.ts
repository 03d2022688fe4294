// Defines colours, fonts and distances of graphs, in pixels.

/**
 * All lines are dark enough for black-and-white printers. The colours, after Okabe and Ito, are distinct for
 * colour-blind people, and the graph also names each line in words.
 */
export const colors = {
  paper: '#ffffff',
  text: '#16202b',
  softText: '#4a5360',
  frame: '#8b96a3',
  grid: '#e3e8ed',
  dayGrid: '#b9c2cb',
  state: '#3d4654',
} as const;

const [blue, vermilion, green, purple] = ['#0063a6', '#b64300', '#00735a', '#8f4473'];

/** Each kind of measurement has a colour: heat, electricity, water and gas, shares of a whole. */
const seriesColors: ReadonlyMap<string | null, string> = new Map([
  ...['Cel', 'K'].map((unit) => [unit, vermilion] as const),
  ...['W', 'kW', 'W.h', 'kW.h', 'A', 'V'].map((unit) => [unit, blue] as const),
  ...['m3', 'L', 'mL', 'L/h', 'm3/h'].map((unit) => [unit, green] as const),
  ['%', purple],
]);

export const seriesColor = (unitOfMeasure: string | null): string => seriesColors.get(unitOfMeasure) ?? colors.state;

export const fontFamily = 'system-ui, sans-serif';

export const fontSizes = { title: 18, narrowTitle: 16, place: 13, panel: 13, label: 11, note: 10 } as const;

/** Below this width the graph uses smaller distances. */
const narrowWidth = 700;

export const isNarrow = (width: number): boolean => width < narrowWidth;
export const pageMargin = (width: number): number => (isNarrow(width) ? 14 : 24);
