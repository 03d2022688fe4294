// The families of docs/images.md that come as SVG alone: colours, logos, gradients and circles.

import type { Operation } from '../http/operation.ts';
import { portalColorNames } from '../lib/color/portal-color-names.ts';
import { formatGrid, addImage, type Gallery } from './images-gallery.ts';
import { code, table } from './markdown.ts';

/** The paths of a group, and the operations that answer them. */
export function formatPathTable(operations: readonly Operation[], group: string): string {
  const members = operations.filter((operation) => operation.group === group);
  return table(
    ['Path', 'Operation'],
    members.map(({ id, path }) => [
      code(path.replace(/^\/api\/v1\//, '')),
      `[${code(id)}](operations.md#${id.toLowerCase()})`,
    ]),
  );
}

export function createColoursSection(gallery: Gallery): string[] {
  const swatches = Object.entries(portalColorNames).map(([name, rgb]) => {
    const hex = rgb.toString(16).padStart(6, '0');
    const path = `gradients/linear/${name}-${name}/0/120x48.svg`;
    return `${addImage(gallery, `colors/${name}.svg`, path, { alt: name })}<br><code>${name}</code><br><code>${hex}</code>`;
  });
  return [
    '## Colours',
    'A colour is 3 or 6 hex digits without `#`, a colour name of CSS, `transparent`, or one of the portal’s own; in any case. The first seven are the brand’s; the others each stand for a state of a device or a place.',
    formatGrid(4, 168, swatches),
  ];
}

const logoForms = [
  ['brand', 'Symbol, 1:1', 64],
  ['brand-text', 'Name, 590:111', 200],
  ['brand-logo-text', 'Symbol and name, 5:1', 200],
] as const;

const logoColourExamples = [
  ['light', 'Brand/Paper'],
  ['soft', 'BrandDeep/BrandSoft'],
  ['dark', 'BrandSoft/BrandDeep'],
  ['accent', 'Accent/Ink'],
  ['clear', 'BrandBright'],
] as const;

export function createLogosSection(gallery: Gallery, operations: readonly Operation[]): string[] {
  const rows = logoColourExamples.map(([name, colors]) => {
    const sized = colors.includes('/');
    const pictures = logoForms.map(([form, what, width]) => {
      const path = `logos/${form}/${colors}${sized ? `/${width}` : ''}.svg`;
      return addImage(gallery, `logos/${form}-${name}.svg`, path, { alt: what, ...(sized ? {} : { width }) });
    });
    return [...pictures, code(sized ? `${colors}/{width}.svg` : `${colors}.svg`)];
  });
  return [
    '## Logos',
    formatPathTable(operations, 'Logos'),
    'With a width, the height follows by the proportions. Without one the logo fits the place where it is shown. A background leaves room around the logo, within the same proportions; without one the ground shows.',
    table([...logoForms.map(([, what]) => what), 'Path'], rows),
  ];
}

const gradientExamples: readonly (readonly [path: string, says: string])[] = [
  ['Brand-Accent/0/240x60', 'from left to right'],
  ['Brand-Accent/22.5/240x60', 'clockwise, in decimals with a dot'],
  ['Brand-Accent/90/240x60', 'from top to bottom'],
  ['Brand-Accent/180/240x60', 'from right to left'],
  ['Brand-Accent/-90/240x60', 'from bottom to top, as 270 is'],
  ['Brand-BrandBright-Accent/0/240x60', 'evenly spaced'],
  ['07323a-18a3a0-f2a33c-fc8/30/240x60', 'four are the most'],
  ['18a3a0-transparent/0/240x60', 'a colour fades without greying'],
];

export function createGradientsSection(gallery: Gallery, operations: readonly Operation[]): string[] {
  const rows = gradientExamples.map(([path, says]) => {
    const file = `gradients/${path.replaceAll('/', '_')}.svg`;
    return [addImage(gallery, file, `gradients/linear/${path}.svg`, { alt: says }), code(`${path}.svg`), says];
  });
  return [
    '## Gradients',
    formatPathTable(operations, 'Gradients'),
    'Two to four colours, evenly spaced, at an angle in degrees; 200 x 200 without a size. Below `gradients/linear/`:',
    table(['', 'Path', ''], rows),
  ];
}

const progressPercents = [0, 1, 25, 50, 99, 100];

const circleExamples: readonly (readonly [file: string, path: string, says: string])[] = [
  ['gradient-two', 'gradient/BrandBright-Accent/96x96', 'clockwise, from the bottom'],
  ['gradient-closed', 'gradient/Brand-Accent-Brand/96x96', 'ends as it began'],
  ['gradient-wide', 'gradient/Brand-Accent-Brand/160x90', 'fills its rectangle'],
  ['progress-clear', 'progress/transparent/BrandBright-Accent/72/96x96', 'on the ground of the page'],
  ['progress-small', 'progress/transparent/BrandBright-Accent/72/32x32', 'small'],
  ['running', 'running/Running/96x96', 'turning'],
  ['running-small', 'running/Accent/24x24', 'small'],
];

export function createCirclesSection(gallery: Gallery, operations: readonly Operation[]): string[] {
  const progress = progressPercents.map((percent) => {
    const path = `circles/progress/Ink/Online-Warning-OutOfOrder/${percent}/112x112.svg`;
    return `${addImage(gallery, `circles/progress-${percent}.svg`, path, { alt: `${percent} percent` })}<br>${percent}`;
  });
  const rows = circleExamples.map(([file, path, says]) => {
    const picture = addImage(gallery, `circles/${file}.svg`, `circles/${path}.svg`, { alt: says });
    return [picture, code(`${path}.svg`), says];
  });
  return [
    '## Circles',
    formatPathTable(operations, 'Circles'),
    'Two to four colours, but one for the running circle, which turns once in five seconds and stands still for readers who prefer less motion. 200 x 200 without a size. Below `circles/`:',
    table(['', 'Path', ''], rows),
    'Progress is so many of 100 marks, clockwise from the top. A mark keeps its colour while others are added: `progress/Ink/Online-Warning-OutOfOrder/{percent}/112x112.svg`',
    formatGrid(progressPercents.length, 112, progress),
  ];
}
