// The name of a kind of data.

import type { JSX } from 'react';
import { useLanguage } from '../portal.tsx';
import { textOfKind } from './import-kinds.ts';

export function ImportKindName({ kind }: { readonly kind: string }): JSX.Element {
  const { t } = useLanguage();
  const text = textOfKind(kind);
  return <>{text === undefined ? kind : t(text)}</>;
}
