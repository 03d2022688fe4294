// Generates the sections of docs/images.md about colours, logos, gradients and circles.

import type { Operation } from '../../src/http/operations/operation.ts';
import { portalColorNames } from '../../src/lib/color/portal-color-names.ts';
import { clearSpacePercentOf } from '../../src/features/images/rules/logo.ts';
import { formatGrid, addImage, type Gallery } from './images-gallery.ts';
import { code, table } from './markdown.ts';

/** A table of the paths of a group and their operations. */
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
    'A colour is 3 or 6 hex digits without `#`, a CSS colour name, `transparent`, or one of the portal colour names below. It is not case-sensitive. The first seven are the colours of the brand; each of the others is the colour of a state of a device or a place.',
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

const [symbolSpace, nameSpace, bothSpace] = logoForms.map(([form]) => clearSpacePercentOf(form));
const clearSpaceText = `A background adds clear space around the logo, within the same aspect ratio: on each side ${symbolSpace} % of the width and height of the image around the symbol, ${nameSpace} % around the name, and ${bothSpace} % around both. A logo without a background, or on a transparent one, fills its image.`;

export function createLogosSection(gallery: Gallery, operations: readonly Operation[]): string[] {
  const rows = logoColourExamples.map(([name, colors]) => {
    const sized = colors.includes('/');
    const images = logoForms.map(([form, text, width]) => {
      const path = `logos/${form}/${colors}${sized ? `/${width}` : ''}.svg`;
      return addImage(gallery, `logos/${form}-${name}.svg`, path, { alt: text, ...(sized ? {} : { width }) });
    });
    return [...images, code(sized ? `${colors}/{width}.svg` : `${colors}.svg`)];
  });
  return [
    '## Logos',
    formatPathTable(operations, 'Logos'),
    `With a width, the height follows from the aspect ratio. Without one, the logo scales to its container. ${clearSpaceText}`,
    table([...logoForms.map(([, text]) => text), 'Path'], rows),
  ];
}

const gradientExamples: readonly (readonly [path: string, text: string])[] = [
  ['Brand-Accent/0/240x60', 'from left to right'],
  ['Brand-Accent/22.5/240x60', 'decimal angles, clockwise'],
  ['Brand-Accent/90/240x60', 'from top to bottom'],
  ['Brand-Accent/180/240x60', 'from right to left'],
  ['Brand-Accent/-90/240x60', 'from bottom to top, same as 270'],
  ['Brand-BrandBright-Accent/0/240x60', 'evenly spaced'],
  ['07323a-18a3a0-f2a33c-fc8/30/240x60', 'at most four colours'],
  ['18a3a0-transparent/0/240x60', 'a colour fades without turning grey'],
];

export function createGradientsSection(gallery: Gallery, operations: readonly Operation[]): string[] {
  const rows = gradientExamples.map(([path, text]) => {
    const file = `gradients/${path.replaceAll('/', '_')}.svg`;
    return [addImage(gallery, file, `gradients/linear/${path}.svg`, { alt: text }), code(`${path}.svg`), text];
  });
  return [
    '## Gradients',
    formatPathTable(operations, 'Gradients'),
    'Two to four colours, evenly spaced, at an angle in degrees. 200 x 200 without a size. Paths are relative to `gradients/linear/`:',
    table(['', 'Path', ''], rows),
  ];
}

const progressPercents = [0, 1, 25, 50, 99, 100];

const circleExamples: readonly (readonly [file: string, path: string, text: string])[] = [
  ['gradient-two', 'gradient/BrandBright-Accent/96x96', 'clockwise, from the bottom'],
  ['gradient-closed', 'gradient/Brand-Accent-Brand/96x96', 'ends with its first colour'],
  ['gradient-wide', 'gradient/Brand-Accent-Brand/160x90', 'fills the rectangle'],
  ['progress-clear', 'progress/transparent/BrandBright-Accent/72/96x96', 'on a transparent background'],
  ['progress-small', 'progress/transparent/BrandBright-Accent/72/32x32', 'small'],
  ['running', 'running/Running/96x96', 'spinning'],
  ['running-small', 'running/Accent/24x24', 'small'],
];

export function createCirclesSection(gallery: Gallery, operations: readonly Operation[]): string[] {
  const progress = progressPercents.map((percent) => {
    const path = `circles/progress/Ink/Online-Warning-OutOfOrder/${percent}/112x112.svg`;
    return `${addImage(gallery, `circles/progress-${percent}.svg`, path, { alt: `${percent} percent` })}<br>${percent}`;
  });
  const rows = circleExamples.map(([file, path, text]) => {
    const image = addImage(gallery, `circles/${file}.svg`, `circles/${path}.svg`, { alt: text });
    return [image, code(`${path}.svg`), text];
  });
  return [
    '## Circles',
    formatPathTable(operations, 'Circles'),
    'Two to four colours; the running circle takes one. It turns once in five seconds, and does not move for users who prefer reduced motion. 200 x 200 without a size. Paths are relative to `circles/`:',
    table(['', 'Path', ''], rows),
    'Progress draws a part of 100 marks, clockwise from the top. A mark does not change colour when the percentage grows: `progress/Ink/Online-Warning-OutOfOrder/{percent}/112x112.svg`',
    formatGrid(progressPercents.length, 112, progress),
  ];
}
