// Writes the two icon sets, assets/icons/line.json and g.json, from the catalogue: each icon's outline from the package
// of its set, by the name in the catalogue, or the service's own drawing (`node scripts/icons.ts`).
//
// Every icon becomes the data of one path on 24 by 24; its set decides whether it is stroked or filled.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Drawing = { path: string; labelled?: string; box?: number[] };
type Entry = { name: string } & Partial<Record<SetName, string>>;
type Package = {
  width: number;
  height: number;
  icons: Record<string, { body: string; width?: number; height?: number }>;
};
type SetName = 'line' | 'g';

const root = join(import.meta.dirname, '..');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

const packages: Record<SetName, string> = { line: 'tabler', g: 'material-symbols' };
/** How each package paints its icons; an icon that is painted otherwise does not belong to the set. */
const pathAttributes: Record<SetName, string> = {
  line: 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"',
  g: 'fill="currentColor"',
};

/** Every file that this script writes, by its path from the root. */
export function iconFiles(): Record<string, string> {
  return { 'assets/icons/line.json': renderIconSet('line'), 'assets/icons/g.json': renderIconSet('g') };
}

function renderIconSet(set: SetName): string {
  const icons = readJson(`node_modules/@iconify-json/${packages[set]}/icons.json`) as Package;
  const own = (readJson('assets/icons/drawings.json') as Record<SetName, Record<string, Drawing>>)[set];
  const drawings = (readJson('assets/icons/catalogue.json') as Entry[]).flatMap((entry) => {
    const source = entry[set];
    if (source === undefined) return [];
    return [
      [
        entry.name,
        source === 'own' ? own[entry.name] : { path: combinedPath(icons, source, pathAttributes[set]) },
      ] as const,
    ];
  });
  const lines = drawings.map(([name, drawing]) => {
    if (drawing === undefined) throw new Error(`${name} is not drawn for ${set}`);
    return `  ${JSON.stringify(name)}: ${JSON.stringify(drawing)}`;
  });
  return `{\n${lines.toSorted().join(',\n')}\n}\n`;
}

/** Joins all paths of a packaged icon: they are painted alike and do not overlap. */
function combinedPath(from: Package, name: string, paint: string): string {
  const icon = from.icons[name];
  if (icon === undefined) throw new Error(`there is no icon ${name}`);
  const { body, width = from.width, height = from.height } = icon;
  const paths = body.match(new RegExp(`^<path ${paint} d="[^"]*"/>$|^<g ${paint}>(?:<path d="[^"]*"/>)+</g>$`));
  if (paths === null || width !== 24 || height !== 24) throw new Error(`${name} is no plain outline on 24 by 24`);
  return [...body.matchAll(/ d="([^"]*)"/g)].map(([, data = '']) => absoluteStart(data)).join('');
}

/** A relative moveto is absolute at the start of a path, but not in the middle of another. */
function absoluteStart(data: string): string {
  const [numbers = ''] = /^[Mm]([^A-Za-z]*)/.exec(data)?.slice(1) ?? [];
  if ((numbers.match(/-?(?:\d*\.\d+|\d+)/g) ?? []).length !== 2) throw new Error(`no plain moveto begins ${data}`);
  return `M${data.slice(1)}`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(iconFiles())) writeFileSync(join(root, path), text);
}
