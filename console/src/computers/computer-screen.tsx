// A computer: when it was last heard of, how far its streams are, what its devices know, and its units.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Computer, ComputerStream, StreamName } from '../api/operations.ts';
import { may, nameOfPlace } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { useBankCrumbs, useParameter } from '../banks/bank-page.tsx';
import { useUnitNames } from '../units/unit-names.ts';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Facts, Mark, Page, Section } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import { ClockOffset } from './clock-offset.tsx';
import { ComputerButtons, ComputerCommands } from './computer-commands.tsx';
import { ComputerMark } from './computer-mark.tsx';
import { bankKidOf, locationKidOf } from '../kid.ts';
import type { TextKey } from '../language/catalogue.ts';
import type { LanguageState } from '../language/language-store.ts';
import { bankPath, locationPath, unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

/** A computer in contact says something every minute or so. */
const pollSeconds = 30;

export function ComputerScreen(): JSX.Element {
  const computerKid = useParameter('computerKid');
  const computer = useRead('GetComputer', { computerKid }, { pollSeconds: () => pollSeconds });
  return (
    <Loaded read={computer} lines={10}>
      {(data) => <ComputerPage computer={data} />}
    </Loaded>
  );
}

function ComputerPage({ computer }: { readonly computer: Computer }): JSX.Element {
  const { t } = useLanguage();
  const { kid, name, state } = computer;
  const bankKid = bankKidOf(kid);
  const crumbs = useBankCrumbs(bankKid, 'computers');
  return (
    <Page
      title={name}
      mark={<ComputerMark state={state} />}
      note={<code>{kid}</code>}
      crumbs={crumbs}
      actions={<ComputerButtons computer={computer} />}
    >
      <div className="columns">
        <Section title={t('computer.contact')}>
          <div className="panel">
            <ContactFacts computer={computer} />
          </div>
        </Section>
        <Section title={t('computer.knowledge')}>
          <div className="panel">
            <KnowledgeFacts computer={computer} />
          </div>
        </Section>
      </div>
      <Streams computer={computer} />
      <Units computer={computer} />
      <ComputerCommands computer={computer} />
    </Page>
  );
}

type ComputerProps = { readonly computer: Computer };

function ContactFacts({ computer }: ComputerProps): JSX.Element {
  const { t, formats } = useLanguage();
  const { lastContactUtc, software, clockOffsetMs, buffered, lastError } = computer;
  return (
    <Facts
      facts={[
        [t('units.lastContact'), lastContactUtc === null ? t('state.never') : <Ago instant={lastContactUtc} />],
        [t('computer.software'), software],
        [t('computer.clock'), <ClockOffset offsetMs={clockOffsetMs} />],
        [t('computer.buffered'), formats.number(buffered)],
        [t('computer.lastError'), lastError ?? t('state.none')],
      ]}
    />
  );
}

function KnowledgeFacts({ computer: { desired, digestsEqual } }: ComputerProps): JSX.Element {
  const { t, formats } = useLanguage();
  const { version, sent, acknowledged } = desired;
  const isCurrent = acknowledged >= version;
  const equality = digestsEqual === null ? 'state.unknown' : digestsEqual ? 'computer.equal' : 'computer.different';
  return (
    <Facts
      facts={[
        [
          t('word.state'),
          <Mark tone={isCurrent ? 'ok' : 'warn'}>{t(isCurrent ? 'unit.synced' : 'unit.notSynced')}</Mark>,
        ],
        [t('computer.newest'), formats.number(version)],
        [t('computer.sent'), formats.number(sent)],
        [t('computer.acknowledged'), formats.number(acknowledged)],
        [t('computer.lists'), digestsEqual === false ? <Mark tone="warn">{t(equality)}</Mark> : t(equality)],
      ]}
    />
  );
}

const streamTexts: Readonly<Record<StreamName, TextKey>> = {
  money: 'computer.money',
  samples: 'computer.samples',
};

function Streams({ computer: { kid, streams } }: ComputerProps): JSX.Element {
  const language = useLanguage();
  const manager = useManager();
  return (
    <Section title={language.t('computer.streams')}>
      <DataTable
        caption={language.t('computer.streams')}
        columns={streamColumns(language, may(manager, 'GetHeldLines') ? kid : undefined)}
        rows={streams}
        keyOf={({ stream }) => stream}
      />
    </Section>
  );
}

/** @param computerKid of the held lines that the manager may read */
const streamColumns = (
  { t, formats }: LanguageState,
  computerKid: string | undefined,
): readonly Column<ComputerStream>[] => [
  { key: 'stream', title: t('computer.stream'), cell: ({ stream }) => t(streamTexts[stream]) },
  { key: 'through', title: t('computer.through'), isNumber: true, cell: ({ through }) => formats.number(through) },
  {
    key: 'held',
    title: t('bank.heldLines'),
    isNumber: true,
    cell: ({ held }) =>
      held === 0 || computerKid === undefined ? (
        formats.number(held)
      ) : (
        <Link to={bankPath(bankKidOf(computerKid), 'held-lines')} search={{ computerKid }}>
          {formats.number(held)}
        </Link>
      ),
  },
  {
    key: 'epoch',
    title: t('computer.epoch'),
    cell: ({ epoch }) => (epoch === '' ? t('state.none') : <code>{epoch}</code>),
  },
];

function Units({ computer: { units } }: ComputerProps): JSX.Element {
  const { t } = useLanguage();
  const byLocation = Map.groupBy(units, locationKidOf);
  return (
    <Section title={t('word.units')}>
      {units.length === 0 ? <Empty>{t('computer.noUnits')}</Empty> : undefined}
      {[...byLocation].map(([locationKid, kids]) => (
        <LocationUnits key={locationKid} locationKid={locationKid} unitKids={kids} />
      ))}
    </Section>
  );
}

type LocationUnitsProps = { readonly locationKid: string; readonly unitKids: readonly string[] };

function LocationUnits({ locationKid, unitKids }: LocationUnitsProps): JSX.Element {
  const manager = useManager();
  const nameOf = useUnitNames(locationKid, may(manager, 'GetLocationUnits'));
  return (
    <div className="panel">
      <h3>
        <Link to={locationPath(locationKid)}>{nameOfPlace(manager, locationKid)}</Link>
      </h3>
      <ul className="links">
        {unitKids.map((kid) => (
          <li key={kid}>
            <Link to={unitPath(kid)}>{nameOf([kid])}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
