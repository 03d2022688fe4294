// GetIconAssetCatalog: lists the names of the icons in a set.

import { createHash } from 'node:crypto';
import type { Representation } from '../../../http/representations/representation.ts';
import { listIconsOfSet, type IconSet } from '../assets/icon-sets.ts';
import { parseIconSet } from '../rules/icon-parameters.ts';

const maxAgeSeconds = 600;

/** The sets change only with a release, so each list is serialised once. */
const catalogBySet: Readonly<Record<IconSet, Representation>> = { g: createCatalog('g'), line: createCatalog('line') };

/** Throws Problem icon-not-found if there is no such set. */
export const getIconAssetCatalog = ({ iconSet }: { readonly iconSet: string }): Representation =>
  catalogBySet[parseIconSet(iconSet)];

function createCatalog(set: IconSet): Representation {
  const body = JSON.stringify(listIconsOfSet(set));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { body, mediaType: 'application/json; charset=utf-8', etag, maxAgeSeconds };
}
