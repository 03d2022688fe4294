// Reverses a posting of the account: the service first shows the posting that it would append, and then appends it.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { AccountEntry, Reversal } from '../api/operations.ts';
import { mayInBank } from '../api/rights.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import { Preview, usePreview } from '../command/preview.tsx';
import { useCommand } from '../command/use-command.ts';
import { Amount } from '../components/amount.tsx';
import { Facts } from '../components/page.tsx';
import { bankPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { nameOfKind } from './posting-kinds.ts';

const reverseCommand = 'reverse';

export function ReversalButton({ entry }: { readonly entry: AccountEntry }): JSX.Element | undefined {
  const { t, formats } = useLanguage();
  const { kid, reversible, text, kind, amountMinor, currency } = entry;
  if (!reversible) return undefined;
  return (
    <CommandButton
      name={`${reverseCommand}.${kid}`}
      text={t('account.reverse')}
      about={`${text === '' ? nameOfKind(kind, t) : text}, ${formats.money(amountMinor, currency)}`}
      isSmall
    />
  );
}

export function ReversalCommand({ bankKid }: { readonly bankKid: string }): JSX.Element | undefined {
  const manager = useManager();
  const isAllowed = mayInBank(manager, bankKid, 'ReverseBankAccountEntry');
  const transactionKid = useOpenCommand(reverseCommand, { id: 'ReverseBankAccountEntry', isAllowed });
  return transactionKid === undefined ? undefined : (
    <ReversalDialog bankKid={bankKid} transactionKid={transactionKid} isAllowed={isAllowed} />
  );
}

type ReversalDialogProps = {
  readonly bankKid: string;
  readonly transactionKid: string;
  readonly isAllowed: boolean;
};

function ReversalDialog({ bankKid, transactionKid, isAllowed }: ReversalDialogProps): JSX.Element {
  const { t, formats } = useLanguage();
  const input = { bankKid, transactionKid };
  const preview = usePreview('ReverseBankAccountEntry', { ...input, dryRun: true });
  const command = useCommand({
    name: `${reverseCommand}.${transactionKid}`,
    id: 'ReverseBankAccountEntry',
    isAllowed,
    stored: { values: {} },
    request: () => ({ input }),
    invalidates: [
      'GetBankAccount',
      'GetBankAccountRevision',
      'GetBankUsers',
      'GetBankUserWorkspace',
      'GetUserReceipts',
      'GetBankSettlements',
      'GetBankSettlementPeriod',
      'GetDeviceSyncs',
    ],
    done: ({ amountMinor, currency, userKid }) => ({
      text: t('account.isReversed', { amount: formats.money(amountMinor, currency) }),
      link: { to: bankPath(bankKid, 'account'), search: { userKid }, text: t('account.ofResident') },
    }),
  });
  return (
    <CommandDialog
      command={command}
      title={t('account.reverse')}
      action={t('account.reverse')}
      isDanger
      preview={preview}
    >
      <p className="soft">{t('account.reverseAdvice')}</p>
      <Preview preview={preview}>{(reversal) => <ReversalFacts bankKid={bankKid} reversal={reversal} />}</Preview>
    </CommandDialog>
  );
}

/** The posting that would be appended. */
function ReversalFacts({ bankKid, reversal }: { readonly bankKid: string; readonly reversal: Reversal }): JSX.Element {
  const { t } = useLanguage();
  const { text, kind, userKid, userName, unitName, locationName, amountMinor, currency } = reversal;
  return (
    <div className="panel">
      <Facts
        facts={[
          [t('word.description'), text === '' ? nameOfKind(kind, t) : text],
          [
            t('word.resident'),
            <Link to={bankPath(bankKid, 'account')} search={{ userKid }}>
              {userName === '' ? userKid : userName}
            </Link>,
          ],
          [t('word.unit'), [unitName, locationName].filter(Boolean).join(', ')],
          [t('word.amount'), <Amount minor={amountMinor} currency={currency} />],
          [t('account.periodTitle'), t('account.currentPeriod')],
        ]}
      />
    </div>
  );
}
