// The live logs of the servers: what they have told in the last minutes, newest first.

import type { JSX } from 'react';
import type { LiveLogCard, LiveLogEvent, LiveLogLevel } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { useListState } from '../lists/list-state.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Mark, Page, Section } from '../components/page.tsx';
import { useLanguage } from '../portal.tsx';
import styles from './live-logs-screen.module.css';

export function LiveLogsScreen(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const logs = useRead('GetLiveLogs', {}, { pollSeconds: ({ refreshAfterSeconds }) => refreshAfterSeconds });
  const onlyWarnings = list.search['level'] === 'warnings';
  return (
    <Page title={t('nav.liveLogs')}>
      <FilterBar>
        <ChoiceFilter
          list={list}
          label={t('logs.level')}
          name="level"
          choices={[
            ['', t('list.all')],
            ['warnings', t('logs.warnings')],
          ]}
        />
      </FilterBar>
      <Loaded read={logs} lines={12}>
        {({ servers }) => servers.map((card) => <Card key={card.server} card={card} onlyWarnings={onlyWarnings} />)}
      </Loaded>
    </Page>
  );
}

type CardProps = { readonly card: LiveLogCard; readonly onlyWarnings: boolean };

function Card({ card: { server, errorCode, events }, onlyWarnings }: CardProps): JSX.Element {
  const { t } = useLanguage();
  const shown = onlyWarnings ? events.filter(({ level }) => level !== 'Information') : events;
  return (
    <Section title={server} actions={errorCode === null ? undefined : <Mark tone="warn">{errorCode}</Mark>}>
      {errorCode !== null ? (
        <Empty>{t('logs.unavailable')}</Empty>
      ) : shown.length === 0 ? (
        <Empty>{t('logs.none')}</Empty>
      ) : (
        <div className="panel">
          {shown.map((event, index) => (
            <Event key={`${event.timestamp} ${index}`} event={event} />
          ))}
        </div>
      )}
    </Section>
  );
}

const tones: Readonly<Record<LiveLogLevel, 'plain' | 'warn' | 'bad'>> = {
  Information: 'plain',
  Warning: 'warn',
  Error: 'bad',
  Critical: 'bad',
};

function Event({ event }: { readonly event: LiveLogEvent }): JSX.Element {
  const { formats } = useLanguage();
  const { timestamp, level, category, question } = event;
  return (
    <div className={styles.line}>
      <time dateTime={timestamp}>{formats.dateTime(timestamp, '', 'seconds')}</time>
      <Mark tone={tones[level]}>{level}</Mark>
      <span>
        {fill(event)}
        <span className="second">{[category, question].filter(Boolean).join(' · ')}</span>
      </span>
    </div>
  );
}

/** Placeholders without a value stay as they are (`fields` of the live logs). */
const fill = ({ messageTemplate, fields = {} }: LiveLogEvent): string =>
  messageTemplate.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => fields[name] ?? placeholder);
