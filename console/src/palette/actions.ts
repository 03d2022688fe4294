// What the palette can do besides opening what is there.

import type { CurrentManager } from '../api/operations.ts';
import { mayInBank, may, nameOfPlace } from '../api/rights.ts';
import { computerCommands } from '../computers/command-names.ts';
import { bankKidOf } from '../kid.ts';
import type { Translate } from '../language/catalogue.ts';
import { themeTexts } from '../layout/display.ts';
import type { OwnActions } from '../layout/own-actions.ts';
import { bankPath } from '../paths.ts';
import type { Entry } from './entries.ts';

type ActionsOptions = {
  readonly manager: CurrentManager;
  /** The object of the screen below. */
  readonly placeKid: string;
  readonly own: OwnActions;
  readonly t: Translate;
};

export const listActions = ({ manager, placeKid, own, t }: ActionsOptions): Entry[] => [
  ...listOfBank(manager, bankKidOf(placeKid), t),
  ...(may(manager, 'CreateImport')
    ? [{ key: 'import', title: t('import.new'), icon: 'import' as const, to: '/imports/new' }]
    : []),
  ...themeTexts.map((key, theme) => ({
    key: `theme-${theme}`,
    title: `${t('menu.theme')}: ${t(key)}`,
    icon: 'theme' as const,
    run: () => void own.chooseTheme(theme),
  })),
  { key: 'log-out', title: t('session.logOut'), icon: 'logout', run: () => void own.logOut() },
];

/** What can be created in the housing association of the screen. */
function listOfBank(manager: CurrentManager, bankKid: string, t: Translate): Entry[] {
  if (bankKid === '') return [];
  const detail = nameOfPlace(manager, bankKid);
  const entries: Entry[] = [];
  if (mayInBank(manager, bankKid, 'CreateBankUser'))
    entries.push({
      key: 'new-resident',
      title: t('resident.create'),
      detail,
      icon: 'create',
      to: bankPath(bankKid, 'residents/new'),
    });
  if (mayInBank(manager, bankKid, 'CreateComputer'))
    entries.push({
      key: 'new-computer',
      title: t('computer.create'),
      detail,
      icon: 'create',
      to: bankPath(bankKid, 'computers'),
      search: { do: computerCommands.create },
    });
  return entries;
}
