// Reads values from the text of an SVG.

/** The attributes of every element of that name, in their order. */
export function elementsOf(svg: string, name: string): Record<string, string>[] {
  return [...svg.matchAll(new RegExp(`<${name}((?: [\\w:-]+="[^"]*")*)/?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  );
}

/** The attributes of the one element of that name. */
export function elementOf(svg: string, name: string): Record<string, string> {
  const [found, ...others] = elementsOf(svg, name);
  if (found === undefined || others.length > 0) throw new Error(`not one ${name} in ${svg}`);
  return found;
}

/** Red, green and blue of `#rrggbb`. */
export function parseCssColor(css = ''): [number, number, number] {
  const rgb = Number.parseInt(css.slice(1), 16);
  if (!/^#[\da-f]{6}$/.test(css)) throw new Error(`no colour: ${css}`);
  return [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];
}
