// What the address of the account asks of the service, and the first request, which does not wait for the screen. The
// current settlement period is meant unless told.

import type { Input } from '../api/client.ts';
import { choiceIn, numberIn, type Search } from '../lists/search-values.ts';
import { unknownZone } from '../language/formats.ts';
import type { StartScreen } from '../layout/start-screen.ts';
import { todayIn, type Days } from '../times/today.ts';

export type AccountInput = Omit<Input<'GetBankAccount'>, 'Offset' | 'Limit' | 'Cursor'>;

/** In place of the number of a period. */
export const byDate = 'dates';

export const isByDate = (search: Search): boolean => search['period'] === byDate;

/** @param timeZone of the days; a period needs none */
export function accountInput(bankKid: string, search: Search, timeZone: string): AccountInput {
  return {
    bankKid,
    ...(isByDate(search) ? daysInput(search, timeZone) : { Period: numberIn(search, 'period') ?? 0 }),
    LocationKid: search['locationKid'],
    UnitKid: search['unitKid'],
    UserKid: search['userKid'],
    Kind: choiceIn(search, 'kind', ['debit', 'credit'] as const),
    IncludeZero: search['zero'] === 'no' ? false : undefined,
    IncludeBookings: search['bookings'] === 'no' ? false : undefined,
    IncludeMonthly: search['monthly'] === 'no' ? false : undefined,
  };
}

function daysInput(search: Search, timeZone: string): Pick<AccountInput, 'From' | 'Through' | 'TimeZone'> {
  const { from, through } = chosenDays(search, timeZone);
  return { From: from, Through: through, TimeZone: timeZone };
}

export const daysIn = ({ from, through }: Search): Partial<Days> => ({
  ...(from === undefined ? {} : { from }),
  ...(through === undefined ? {} : { through }),
});

export const chosenDays = (search: Search, timeZone: string): Days => {
  const today = todayIn(timeZone);
  return { from: today, through: today, ...daysIn(search) };
};

export const accountPage = (input: AccountInput, search: Search): Input<'GetBankAccount'> => ({
  ...input,
  Offset: numberIn(search, 'offset'),
});

/** Asks for the first page, unless the days of a time zone are meant, which only the manager's answer has. */
export const startAccount: StartScreen = (ask, { bankKid = '' }, search) => {
  if (isByDate(search)) return;
  ask('GetBankAccount', accountPage(accountInput(bankKid, search, unknownZone), search));
};
