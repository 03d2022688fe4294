// Filters and sorts the services of a tenant.

import type { ServicesQuery } from '../schemas.ts';
import type { Static } from 'typebox';
import { formatSortKey } from '../../../lib/text/search-words.ts';
import { serviceIdOf, type ServiceIdentity } from './service-catalogue.ts';

type NamedService = { readonly identity: ServiceIdentity; readonly name: string };

/** The services whose identity or name contains the filter. */
export function selectServices<T extends NamedService>(
  services: readonly T[],
  { filter = '', sort, direction }: Static<typeof ServicesQuery>,
): T[] {
  const found = services.filter(({ identity, name }) => [identity, name].some((text) => contains(text, filter)));
  const sorted = found.toSorted((a, b) => (sort === 'name' ? compareNames(a, b) : 0) || compareIdentities(a, b));
  return direction === 'asc' ? sorted : sorted.toReversed();
}

/** Literally, but not case-sensitive: the filter has no wildcards. */
const contains = (text: string, filter: string): boolean => foldCase(text).includes(foldCase(filter));

const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();

/** By the number, not by how it is spelled. */
const compareIdentities = (a: NamedService, b: NamedService): number =>
  serviceIdOf(a.identity) - serviceIdOf(b.identity);

function compareNames(a: NamedService, b: NamedService): number {
  const [keyA, keyB] = [formatSortKey(a.name), formatSortKey(b.name)];
  if (keyA === keyB) return 0;
  return keyA < keyB ? -1 : 1;
}
