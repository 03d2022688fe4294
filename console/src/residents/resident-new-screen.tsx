// Creates a resident. What was typed is kept until it is sent, also over a reload.

import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { LanguageCode, NewResident, ResidentWorkspace } from '../api/operations.ts';
import { findBank, mayInBank } from '../api/rights.ts';
import { useBankCrumbs, useParameter } from '../banks/bank-page.tsx';
import { readsOfResidents } from './resident-commands.tsx';
import { CommandProblem } from '../command/command-problem.tsx';
import type { Command } from '../command/command-types.ts';
import { ChoiceField, TextField } from '../command/fields.tsx';
import { useCommand } from '../command/use-command.ts';
import { Missing } from '../layout/missing.tsx';
import { Page } from '../components/page.tsx';
import { languageNames } from '../language/languages.ts';
import { residentPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { fieldNames, homeFields, recordOf, type ResidentField } from './resident-fields.ts';
import { ResidentTextField } from './resident-text-field.tsx';

/** Keys: one in each line. */
type ResidentValues = Readonly<Record<ResidentField | 'keys', string>>;

const noValues: ResidentValues = { ...recordOf(fieldNames, () => ''), keys: '' };

/** People need not know how the service writes the number of a card. */
const cardMark = /^card[\s:]+/i;

const toResident = ({ keys, language, ...values }: ResidentValues): NewResident => ({
  ...values,
  language: language as LanguageCode,
  keys: keys
    .split('\n')
    .map((key) => key.trim().replace(cardMark, 'Card:'))
    .filter((key) => key !== ''),
});

export function ResidentNewScreen(): JSX.Element {
  const manager = useManager();
  const bankKid = useParameter('bankKid');
  // Somebody who may not create residents has come by an address.
  return mayInBank(manager, bankKid, 'CreateBankUser') ? <ResidentForm bankKid={bankKid} /> : <Missing />;
}

function ResidentForm({ bankKid }: { readonly bankKid: string }): JSX.Element {
  const { t, language } = useLanguage();
  const navigate = useNavigate();
  const crumbs = useBankCrumbs(bankKid, 'residents');
  const command = useCommand<'CreateBankUser', ResidentValues>({
    name: 'new-resident',
    id: 'CreateBankUser',
    stored: { values: { ...noValues, language } },
    request: (values) => ({ input: { bankKid }, body: toResident(values) }),
    invalidates: readsOfResidents,
    done: ({ user }) => {
      const path = residentPath(bankKid, user.kid);
      void navigate({ to: path });
      return {
        text: t('resident.isCreated', { name: user.name }),
        link: { to: `${path}/letter`, text: t('letter.title') },
      };
    },
  });
  return (
    <Page title={t('resident.create')} crumbs={crumbs}>
      <form
        className="panel fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (command.isAllowed && !command.isSending) void command.send();
        }}
      >
        {command.isResumed && command.isChanged ? <p className="note">{t('command.resumed')}</p> : undefined}
        <ResidentFields bankKid={bankKid} command={command} />
        <CommandProblem command={command} />
        <p className="marks">
          <button type="submit" className="button button-main" aria-disabled={command.isSending || !command.isAllowed}>
            {command.isSending ? t('command.sending') : t('resident.create')}
          </button>
          {command.isChanged && !command.isSending ? (
            <button type="button" className="button button-plain" onClick={command.discard}>
              {t('command.discard')}
            </button>
          ) : undefined}
        </p>
      </form>
    </Page>
  );
}

type ResidentFieldsProps = {
  readonly bankKid: string;
  readonly command: Command<ResidentValues, ResidentWorkspace>;
};

function ResidentFields({ bankKid, command }: ResidentFieldsProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const locations = findBank(manager, bankKid)?.locations ?? [];
  return (
    <>
      <ResidentTextField field={command.field('name')} name="name" autoFocus />
      {homeFields.map((name) => (
        <ResidentTextField key={name} field={command.field(name)} name={name} />
      ))}
      <ChoiceField
        field={command.field('locationKid')}
        label={t('word.location')}
        choices={[['', t('state.none')], ...locations.map(({ kid, name }) => [kid, name] as const)]}
      />
      <ResidentTextField field={command.field('email')} name="email" />
      <ResidentTextField field={command.field('phone')} name="phone" />
      <ChoiceField
        field={command.field('language')}
        label={t('menu.language')}
        choices={Object.entries(languageNames)}
      />
      <TextField
        field={command.field('keys')}
        label={t('resident.keys')}
        description={t('resident.keysHelp')}
        isMultiline
      />
    </>
  );
}
