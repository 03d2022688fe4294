// Sends a file of data to be imported, of which the service makes a plan; and the templates of such files, and exports.
// What is chosen is in the address; the file itself is only in this tab.

import { Link, useNavigate } from '@tanstack/react-router';
import { useId, type JSX } from 'react';
import type { Input } from '../api/client.ts';
import type { CurrentManager, ImportKind, ImportKindDescription as Kind } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { isUncertain } from '../command/outcome.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { ChoiceFilter } from '../lists/filters.tsx';
import { useListState, type ListState } from '../lists/list-state.ts';
import { Loaded } from '../components/loaded.tsx';
import type { Search } from '../lists/search-values.ts';
import { Empty, Page, Section } from '../components/page.tsx';
import { FileForm } from './file-form.tsx';
import { FileOptionFields, fileOptionsIn } from './file-options.tsx';
import { ImportKindName } from './import-kind-name.tsx';
import { importPath } from '../paths.ts';
import { useLanguage, useManager, usePortal } from '../portal.tsx';

export function ImportNewScreen(): JSX.Element {
  const { t } = useLanguage();
  const kinds = useRead('GetImportKinds', {});
  return (
    <Page title={t('import.new')} crumbs={[{ title: t('nav.imports'), to: '/imports' }]}>
      <Loaded read={kinds} lines={12}>
        {({ items }) => (
          <ImportForm kinds={items.filter(({ access, exportAccess }) => access.isAllowed || exportAccess.isAllowed)} />
        )}
      </Loaded>
    </Page>
  );
}

/** Whoever may import may export. */
function ImportForm({ kinds }: { readonly kinds: readonly Kind[] }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const list = useListState();
  const chosen =
    kinds.find(({ kind }) => kind === list.search['kind']) ?? kinds.find(({ access }) => access.isAllowed) ?? kinds[0];
  if (chosen === undefined) return <Empty>{t('import.noKinds')}</Empty>;
  return (
    <>
      <Section title={t('import.what')}>
        <div className="panel fields">
          <KindField list={list} kinds={kinds} chosen={chosen} />
          <BankField list={list} kind={chosen} />
          <p className="marks">
            {may(manager, 'GetImportTemplate') ? (
              <DownloadButton id="GetImportTemplate" input={{ kind: chosen.kind }} format={t('import.template')} />
            ) : undefined}
            <DownloadButton
              id="ExportData"
              input={{ kind: chosen.kind, bankKid: bankOf(manager, chosen, list.search) }}
              format={t('import.export')}
            />
          </p>
        </div>
      </Section>
      {chosen.access.isAllowed ? <FileSection list={list} kind={chosen} /> : undefined}
    </>
  );
}

const banksOf = ({ access }: CurrentManager) => access.banks.filter(({ bankWide }) => bankWide || access.tenantWide);

/** Undefined for data of the whole portal. */
function bankOf(manager: CurrentManager, { belongsTo }: Kind, search: Search): string | undefined {
  if (belongsTo === 'tenant') return undefined;
  return search['bankKid'] ?? banksOf(manager)[0]?.kid;
}

type KindFieldProps = { readonly list: ListState; readonly kinds: readonly Kind[]; readonly chosen: Kind };

/** The profiles and what may be missing are those of a kind. */
function KindField({ list, kinds, chosen }: KindFieldProps): JSX.Element {
  const { t } = useLanguage();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t('import.kind')}</label>
      <select
        id={id}
        value={chosen.kind}
        onChange={({ target }) => list.change({ kind: target.value, profile: undefined, missing: undefined })}
      >
        {kinds.map(({ kind }) => (
          <option key={kind} value={kind}>
            <ImportKindName kind={kind} />
          </option>
        ))}
      </select>
    </div>
  );
}

function BankField({ list, kind }: { readonly list: ListState; readonly kind: Kind }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  if (kind.belongsTo === 'tenant') return <p className="soft">{t('import.ofPortal')}</p>;
  return (
    <ChoiceFilter
      list={list}
      label={t('word.bank')}
      name="bankKid"
      choices={banksOf(manager).map(({ kid, name }) => [kid, name] as const)}
    />
  );
}

function FileSection({ list, kind }: { readonly list: ListState; readonly kind: Kind }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { client } = usePortal();
  const navigate = useNavigate();
  const input = inputOf(manager, kind, list.search);
  return (
    <Section title={t('import.file')}>
      <FileForm
        action={t('import.makePlan')}
        icon="import"
        advice={t('import.planAdvice')}
        send={async (file, signal) => {
          const { kid } = await client.call('CreateImport', input, { body: file, signal });
          await navigate({ to: importPath(kid) });
        }}
        titleOf={(problem) => t(isUncertain(problem) ? 'command.uncertain' : 'command.notDone')}
        whatNext={(problem) => (isUncertain(problem) ? <Link to="/imports">{t('import.look')}</Link> : undefined)}
      >
        <ProfileField list={list} kind={kind.kind} />
        {kind.isDeactivatable ? <MissingField list={list} /> : undefined}
        <FileOptionFields list={list} />
      </FileForm>
    </Section>
  );
}

const inputOf = (manager: CurrentManager, kind: Kind, search: Search): Input<'CreateImport'> => ({
  kind: kind.kind,
  bankKid: bankOf(manager, kind, search),
  profile: search['profile'],
  missing: search['missing'] === 'deactivate' ? 'deactivate' : undefined,
  ...fileOptionsIn(search),
});

function ProfileField({
  list,
  kind,
}: {
  readonly list: ListState;
  readonly kind: ImportKind;
}): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  const profiles = useRead('GetImportProfiles', {}, { enabled: may(manager, 'GetImportProfiles') });
  const names = (profiles.data?.items ?? []).filter((profile) => profile.kind === kind).map(({ name }) => name);
  return (
    <ChoiceFilter
      list={list}
      label={t('import.source')}
      name="profile"
      choices={[['', t('import.noProfile')], ...names.map((name) => [name, name] as const)]}
    />
  );
}

function MissingField({ list }: { readonly list: ListState }): JSX.Element {
  const { t } = useLanguage();
  return (
    <ChoiceFilter
      list={list}
      label={t('import.missingObjects')}
      name="missing"
      choices={[
        ['keep', t('import.keepMissing')],
        ['deactivate', t('import.deactivateMissing')],
      ]}
    />
  );
}
