// Declares operations that answer an SVG image: the properties they share, and the two forms of an image that has a
// default size.

import type { Static, TObject } from 'typebox';
import { defineImageOperation, type Operation } from '../../http/operation.ts';
import type { RenderedImage } from './svg-renderer.ts';

export type ImageGroup = 'logos' | 'gradients' | 'circles';

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

export function defineSvgOperation<P extends TObject>(
  group: ImageGroup,
  declared: SvgOperationDeclaration<P>,
): Operation {
  return defineImageOperation<P>({
    ...imageGroups[group],
    ...declared,
    method: 'GET',
    documents: ['public'],
    representationTypes: ['image/svg+xml'],
    problemCodes: ['too-many-renders'],
    storageFree: true,
    deadlineMs: 10_000,
  });
}

/** Defines an image of 200 x 200, and a second operation with `Sized` in its id whose path ends in a size. */
export function defineDefaultAndSizedOperations<P extends TObject, S extends TObject>(
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
