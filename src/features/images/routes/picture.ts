// What the operations of the three families have in common: everything but the path and how it is drawn.

import type { Static, TObject } from 'typebox';
import { pictureOperation, type Operation } from '../../../http/operation.ts';
import type { Representation } from '../../../http/representation.ts';

export type PictureFamily = 'logos' | 'gradients' | 'circles';

/** Answers the picture that `key` names, one name a picture within its family, drawing it where it is not kept. */
export type Render = (
  family: PictureFamily,
  key: string,
  draw: () => string,
) => Representation | Promise<Representation>;

/** What a path describes. */
export type Picture = { readonly key: string; readonly draw: () => string };

type Declared<P extends TObject> = {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly params: P;
  readonly picture: (texts: Static<P>) => Picture;
};

export type Declare = <P extends TObject>(declared: Declared<P>) => Operation;

const families = {
  logos: { group: 'Logos', invalid: 'invalid-logo-parameters' },
  gradients: { group: 'Gradients', invalid: 'invalid-gradient-parameters' },
  circles: { group: 'Circles', invalid: 'invalid-circle-parameters' },
} as const;

export function declarer(family: PictureFamily, render: Render): Declare {
  return ({ picture, ...declared }) =>
    pictureOperation<(typeof declared)['params']>({
      ...families[family],
      ...declared,
      method: 'GET',
      documents: ['public'],
      media: ['image/svg+xml'],
      problems: ['too-many-renders'],
      storageFree: true,
      deadlineMs: 10_000,
      draw: (params) => {
        const { key, draw } = picture(params);
        return render(family, key, draw);
      },
    });
}

/** The two forms of a picture that is 200 x 200 unless its path ends in a size. */
export function bothSizes<P extends TObject, S extends TObject>(
  declare: Declare,
  declared: Omit<Declared<P>, 'params' | 'picture'> & { readonly picture: (texts: Static<P> | Static<S>) => Picture },
  [params, sizedParams]: [P, S],
): Operation[] {
  const { id, path, summary } = declared;
  return [
    declare({ ...declared, path: `${path}.svg`, summary: `${summary}, 200 x 200`, params }),
    declare({
      ...declared,
      id: `${id}Sized`,
      path: `${path}/{width}x{height}.svg`,
      summary: `${summary}, of a given size`,
      params: sizedParams,
    }),
  ];
}
