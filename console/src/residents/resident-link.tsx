// The name of a resident, with the way to them; one whose identity has expired has neither.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { may } from '../api/rights.ts';
import { residentPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

type ResidentLinkProps = { readonly bankKid: string; readonly userKid: string; readonly name: string };

export function ResidentLink({ bankKid, userKid, name }: ResidentLinkProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  if (userKid.endsWith('-R0')) return <span className="soft">{t('resident.anonymised')}</span>;
  if (userKid.endsWith('-R1000')) return <span>{t('resident.guest')}</span>;
  const shown = name === '' ? userKid : name;
  return may(manager, 'GetBankUserWorkspace') ? <Link to={residentPath(bankKid, userKid)}>{shown}</Link> : <>{shown}</>;
}
