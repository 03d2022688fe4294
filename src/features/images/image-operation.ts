// What the operations of the three families have in common: everything but the path and how it is drawn.

import type { Static, TObject } from 'typebox';
import { defineImageOperation, type Operation } from '../../http/operation.ts';
import type { Representation } from '../../http/representation.ts';

export type ImageGroup = 'logos' | 'gradients' | 'circles';

/** Answers the picture that `key` names, one name a picture within its family, drawing it where it is not kept. */
export type RenderImage = (
  family: ImageGroup,
  key: string,
  draw: () => string,
) => Representation | Promise<Representation>;

/** What a path describes. */
export type ImageDescription = { readonly key: string; readonly draw: () => string };

type ImageDeclaration<P extends TObject> = {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly params: P;
  readonly describeImage: (texts: Static<P>) => ImageDescription;
};

export type DeclareImageOperation = <P extends TObject>(declared: ImageDeclaration<P>) => Operation;

const imageGroups = {
  logos: { group: 'Logos', validationProblem: 'invalid-logo-parameters' },
  gradients: { group: 'Gradients', validationProblem: 'invalid-gradient-parameters' },
  circles: { group: 'Circles', validationProblem: 'invalid-circle-parameters' },
} as const;

export function createImageOperationFactory(group: ImageGroup, render: RenderImage): DeclareImageOperation {
  return ({ describeImage, ...declared }) =>
    defineImageOperation<(typeof declared)['params']>({
      ...imageGroups[group],
      ...declared,
      method: 'GET',
      documents: ['public'],
      representationTypes: ['image/svg+xml'],
      problemCodes: ['too-many-renders'],
      storageFree: true,
      deadlineMs: 10_000,
      render: (params) => {
        const { key, draw } = describeImage(params);
        return render(group, key, draw);
      },
    });
}

/** The two forms of a picture that is 200 x 200 unless its path ends in a size. */
export function declareDefaultAndSized<P extends TObject, S extends TObject>(
  declareImage: DeclareImageOperation,
  declared: Omit<ImageDeclaration<P>, 'params' | 'describeImage'> & {
    readonly describeImage: (texts: Static<P> | Static<S>) => ImageDescription;
  },
  [params, sizedParams]: [P, S],
): Operation[] {
  const { id, path, summary } = declared;
  return [
    declareImage({ ...declared, path: `${path}.svg`, summary: `${summary}, 200 x 200`, params }),
    declareImage({
      ...declared,
      id: `${id}Sized`,
      path: `${path}/{width}x{height}.svg`,
      summary: `${summary}, of a given size`,
      params: sizedParams,
    }),
  ];
}
