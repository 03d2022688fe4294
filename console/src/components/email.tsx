// An email address that is broken before its domain if there is no room for it, and not within a word.

import type { JSX } from 'react';

export function Email({ address }: { readonly address: string }): JSX.Element {
  const index = address.lastIndexOf('@');
  return (
    <>
      {address.slice(0, Math.max(index, 0))}
      <wbr />
      {address.slice(Math.max(index, 0))}
    </>
  );
}
