// Reads the formats of a document with independent parsers of HTML and XML.

import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { SaxesParser } from 'saxes';

type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

/** Every element of an HTML document, in the order of their start tags. */
export function readHtml(html: string): HtmlElement[] {
  const errors: string[] = [];
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) });
  if (errors.length > 0) throw new Error(`not well-formed HTML: ${errors.join(', ')}`);
  return elementsBelow(document);
}

export const elementsBelow = (node: HtmlNode): HtmlElement[] =>
  'childNodes' in node
    ? node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsBelow(child)] : []))
    : [];

export const textOf = (node: HtmlNode): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

export const attributeOf = ({ attrs }: HtmlElement, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

/** The cells of the bodies of all tables, row by row; `time` is the instant in UTC. */
export function readHtmlRows(html: string): { time: string; cells: string[] }[][] {
  return readHtml(html)
    .filter(({ tagName }) => tagName === 'tbody')
    .map((body) =>
      elementsBelow(body)
        .filter(({ tagName }) => tagName === 'tr')
        .map((row) => {
          const inside = elementsBelow(row);
          const time = inside.find(({ tagName }) => tagName === 'time');
          return {
            time: time === undefined ? '' : (attributeOf(time, 'datetime') ?? ''),
            cells: inside.filter(({ tagName }) => tagName === 'td').map(textOf),
          };
        }),
    );
}

/** The headings of all tables, without their units of measure and dates: that of the times is the first of each. */
export const readHtmlHeadings = (html: string): string[] =>
  readHtml(html)
    .filter((each) => each.tagName === 'th' && attributeOf(each, 'scope') === 'col')
    .map(({ childNodes: [label] }) => (label === undefined ? '' : textOf(label)));

export type SvgElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly SvgElement[];
  /** The text of the element itself, without that of its children. */
  readonly text: string;
};

/** The root of an SVG. Throws if it is not well-formed XML. */
export function readSvg(svg: string): SvgElement {
  const parser = new SaxesParser();
  type Open = { name: string; attributes: Record<string, string>; children: SvgElement[]; text: string };
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const open: Open[] = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Open = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(svg).close();
  return root.children[0] as SvgElement;
}

/** The element and all below it. */
export const allOf = (element: SvgElement): SvgElement[] => [element, ...element.children.flatMap(allOf)];

export const textsOf = (element: SvgElement): string[] =>
  allOf(element)
    .filter(({ name, text }) => name === 'tspan' || (name === 'text' && text !== ''))
    .map(({ text }) => text);

/** The panels of a graph, by the names of their series. */
export function readPanels(svg: string): Map<string, SvgElement> {
  const panels = readSvg(svg).children.filter(({ name, children }) => name === 'g' && children[0]?.name === 'title');
  return new Map(panels.map((panel) => [panel.children[0]?.text ?? '', panel]));
}

export type DrawnPoint = { readonly x: number; readonly y: number };

/** The line of a panel: its unbroken stretches, each a list of corners. */
export function readStretches(panel: SvgElement): DrawnPoint[][] {
  const line = allOf(panel).find(({ attributes }) => attributes['stroke-linejoin'] !== undefined);
  const stretches: DrawnPoint[][] = [];
  for (const [, command, numbers = ''] of (line?.attributes['d'] ?? '').matchAll(/([MLZ])([^MLZ]*)/g)) {
    if (command === 'Z') continue;
    const [x = Number.NaN, y = Number.NaN] = numbers.split(',').map(Number);
    if (command === 'M') stretches.push([]);
    stretches.at(-1)?.push({ x, y });
  }
  return stretches;
}

export const readCircles = (panel: SvgElement): DrawnPoint[] =>
  allOf(panel)
    .filter(({ name }) => name === 'circle')
    .map(({ attributes }) => ({ x: Number(attributes['cx']), y: Number(attributes['cy']) }));

/** The labels of a panel's scale and their positions; the text's baseline is below the middle. */
export const readScale = (panel: SvgElement): { readonly label: string; readonly y: number }[] =>
  allOf(panel)
    .filter(
      ({ name, attributes }) =>
        name === 'text' && attributes['text-anchor'] === 'end' && attributes['font-weight'] === undefined,
    )
    .map(({ text, attributes }) => ({
      label: text.replaceAll('\u202F', '').replace('\u2212', '-'),
      y: Number(attributes['y']) - 4,
    }))
    .filter(({ label }) => !/^(?:min|last) /.test(label));

/** The value at a height, by the first and the last label of a scale of numbers. */
export function createValueReader(panel: SvgElement): (y: number) => number {
  const scale = readScale(panel);
  const [first, last] = [scale[0], scale.at(-1)];
  if (first === undefined || last === undefined || first === last) throw new Error('no scale');
  const [from, to] = [Number(first.label), Number(last.label)];
  return (y) => from + ((y - first.y) / (last.y - first.y)) * (to - from);
}
