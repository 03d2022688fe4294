// Declares the public SVG images: logos, gradients and circles. The path describes the whole image.

import { defineImageOperation, type Operation } from '../../http/operations/operation.ts';
import { drawCircleGradient, formatCircleGradientKey } from './rules/circle-gradient.ts';
import {
  parseCircleGradientParameters,
  parseCircleProgressParameters,
  parseCircleRunningParameters,
} from './rules/circle-parameters.ts';
import { drawCircleProgress, formatCircleProgressKey } from './rules/circle-progress.ts';
import { drawCircleRunning, formatCircleRunningKey } from './rules/circle-running.ts';
import { drawLinearGradient, formatLinearGradientKey, parseLinearGradientParameters } from './rules/linear-gradient.ts';
import {
  clearSpacePercentOf,
  drawLogo,
  formatLogoKey,
  parseLogoParameters,
  type LogoForm,
  type LogoParameters,
} from './rules/logo.ts';
import type { SvgRenderer, RenderedImage } from './process/image-renderer.ts';
import type { Static, TObject } from 'typebox';
import { representation } from '../../http/operations/response.ts';

import * as schemas from './schemas.ts';

/** @param renderers one for each group, so that each has its own limit of concurrent requests. */
export const imagesRoutes = ({ logos, gradients, circles }: Readonly<Record<ImageGroup, SvgRenderer>>): Operation[] => [
  ...logoOperations(logos),
  ...gradientOperations(gradients),
  ...circleOperations(circles),
];

const logoForms = [
  { form: 'brand', id: 'GetBrandLogo', subject: 'The symbol of the brand', ratio: '1:1' },
  { form: 'brand-text', id: 'GetBrandText', subject: 'The name of the brand', ratio: '590:111' },
  { form: 'brand-logo-text', id: 'GetBrandLogoText', subject: 'The symbol and the name of the brand', ratio: '5:1' },
] as const;

const logoOperations = (renderer: SvgRenderer): Operation[] =>
  logoForms.flatMap((declared) => operationsOfLogoForm(declared, renderer));

function operationsOfLogoForm(
  { form, id, subject, ratio }: { form: LogoForm; id: string; subject: string; ratio: string },
  renderer: SvgRenderer,
): Operation[] {
  const path = `/api/v1/logos/${form}/{color}`;
  const parse = (parameters: LogoParameters) => parseLogoParameters(form, parameters);
  const render = createRenderer(renderer, parse, formatLogoKey, drawLogo);
  return [
    defineSvgOperation('logos', {
      id,
      path: `${path}.svg`,
      summary: `${subject}, without a fixed size`,
      description: `Scales to its container, centred, with an aspect ratio of ${ratio}.`,
      params: schemas.LogoParams,
      render,
    }),
    defineSvgOperation('logos', {
      id: `${id}Sized`,
      path: `${path}/{width}.svg`,
      summary: `${subject}, of a given width`,
      description: `The height follows from the aspect ratio of ${ratio}.`,
      params: schemas.LogoSizedParams,
      render,
    }),
    defineSvgOperation('logos', {
      id: `${id}WithBackground`,
      path: `${path}/{background}/{width}.svg`,
      summary: `${subject} on a background, of a given width`,
      description:
        `The background adds clear space around the logo: on each side ${clearSpacePercentOf(form)} % of the width and ` +
        `of the height of the image. A transparent background adds none. The image, including the clear space, has ` +
        `an aspect ratio of ${ratio}.`,
      params: schemas.LogoWithBackgroundParams,
      render,
    }),
  ];
}

const gradientOperations = (renderer: SvgRenderer): Operation[] =>
  defineDefaultAndSizedOperations('gradients', {
    id: 'GetLinearGradient',
    path: '/api/v1/gradients/linear/{colors}/{angle}',
    summary: 'A linear gradient',
    description:
      'Same geometry as CSS `linear-gradient()`: the gradient line passes through the centre, and the first and the ' +
      'last colour reach the farthest corners. A colour fades to `transparent` without turning grey.',
    params: schemas.LinearGradientParams,
    sizedParams: schemas.LinearGradientSizedParams,
    render: createRenderer(renderer, parseLinearGradientParameters, formatLinearGradientKey, drawLinearGradient),
  });

const circleOperations = (renderer: SvgRenderer): Operation[] => [
  ...defineDefaultAndSizedOperations('circles', {
    id: 'GetCircleGradient',
    path: '/api/v1/circles/gradient/{colors}',
    summary: 'A conic gradient',
    description: 'Fills the whole rectangle. The colours run clockwise around the centre, starting at the bottom.',
    params: schemas.CircleGradientParams,
    sizedParams: schemas.CircleGradientSizedParams,
    render: createRenderer(renderer, parseCircleGradientParameters, formatCircleGradientKey, drawCircleGradient),
  }),
  ...defineDefaultAndSizedOperations('circles', {
    id: 'GetCircleProgress',
    path: '/api/v1/circles/progress/{background}/{colors}/{percent}',
    summary: 'Progress as square marks around a ring',
    description:
      'Draws `percent` of 100 marks, clockwise from the top. The colours are spread over all 100 positions, so a ' +
      'mark does not change colour when the percentage grows.',
    params: schemas.CircleProgressParams,
    sizedParams: schemas.CircleProgressSizedParams,
    render: createRenderer(renderer, parseCircleProgressParameters, formatCircleProgressKey, drawCircleProgress),
  }),
  ...defineDefaultAndSizedOperations('circles', {
    id: 'GetCircleRunning',
    path: '/api/v1/circles/running/{color}',
    summary: 'A spinning half ring, for work in progress',
    description: 'Turns once in five seconds, and does not move for users who prefer reduced motion.',
    params: schemas.CircleRunningParams,
    sizedParams: schemas.CircleRunningSizedParams,
    render: createRenderer(renderer, parseCircleRunningParameters, formatCircleRunningKey, drawCircleRunning),
  }),
];

/** The key has everything that the image shows: with one key it is drawn once. */
const createRenderer =
  <P, I>(
    renderer: SvgRenderer,
    parse: (parameters: P) => I,
    formatKey: (image: I) => string,
    draw: (image: I) => string,
  ) =>
  (parameters: P): RenderedImage => {
    const image = parse(parameters);
    return renderer.renderSvg(formatKey(image), () => draw(image));
  };

type ImageGroup = 'logos' | 'gradients' | 'circles';

type SvgOperationDeclaration<P extends TObject> = {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly params: P;
  readonly render: (parameters: Static<P>) => RenderedImage;
};

const imageGroups = {
  logos: { group: 'Logos', validationProblem: 'invalid-logo-parameters' },
  gradients: { group: 'Gradients', validationProblem: 'invalid-gradient-parameters' },
  circles: { group: 'Circles', validationProblem: 'invalid-circle-parameters' },
} as const;

const defineSvgOperation = <P extends TObject>(group: ImageGroup, declared: SvgOperationDeclaration<P>): Operation =>
  defineImageOperation<P>({
    ...imageGroups[group],
    ...declared,
    method: 'GET',
    openApiDocuments: ['public'],
    response: representation(['image/svg+xml']),
    problemCodes: ['too-many-renders'],
    storageFree: true,
    deadlineMs: 10_000,
  });

/** Defines an image of 200 x 200, and a second operation with `Sized` in its id whose path ends in a size. */
function defineDefaultAndSizedOperations<P extends TObject, S extends TObject>(
  group: ImageGroup,
  declared: Omit<SvgOperationDeclaration<P>, 'render'> & {
    readonly sizedParams: S;
    readonly render: (parameters: Static<P> | Static<S>) => RenderedImage;
  },
): Operation[] {
  const { sizedParams, ...common } = declared;
  const { id, path, summary } = common;
  return [
    defineSvgOperation(group, { ...common, path: `${path}.svg`, summary: `${summary}, 200 x 200` }),
    defineSvgOperation(group, {
      ...common,
      id: `${id}Sized`,
      path: `${path}/{width}x{height}.svg`,
      summary: `${summary}, of a given size`,
      params: sizedParams,
    }),
  ];
}
