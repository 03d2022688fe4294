// One of the console's icons, in the colour of the text. It says nothing by itself: a text stands beside it.

import type { JSX } from 'react';
import { iconPaths, type IconName } from './icon-paths.ts';

export const Icon = ({ name }: { readonly name: IconName }): JSX.Element => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={iconPaths[name]} />
  </svg>
);

/** An icon that the service draws, such as that of a unit's type, in the colour of the text. */
export function KidIcon({ kid }: { readonly kid: string }): JSX.Element {
  const mask = `url("/api/v1/icon/line/${encodeURIComponent(kid)}.svg")`;
  return <span className="kid-icon" aria-hidden="true" style={{ maskImage: mask, WebkitMaskImage: mask }} />;
}
