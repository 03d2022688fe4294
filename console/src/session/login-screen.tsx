// The login of a manager. The screen that was asked for comes next.

import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useId, useState, type FormEvent, type JSX } from 'react';
import { toProblem, type Problem } from '../api/problem.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { isLanguage, languageNames } from '../language/languages.ts';
import { Brand } from '../layout/layout.tsx';
import { safeNext } from '../paths.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import styles from './login-screen.module.css';

export function LoginScreen(): JSX.Element {
  const { t } = useLanguage();
  const { session } = usePortal();
  const reason = session.endReason();
  useEffect(() => {
    document.title = t('session.title');
  }, [t]);
  return (
    <main className={styles.login}>
      <div className={styles.card}>
        <Brand />
        <h1 tabIndex={-1}>{t('session.title')}</h1>
        {reason === undefined ? undefined : (
          <p className="note" role="status">
            {t(reason === 'expired' ? 'session.expired' : 'session.loggedOut')}
          </p>
        )}
        <LoginForm />
      </div>
      <LanguageChoice />
    </main>
  );
}

function LoginForm(): JSX.Element {
  const { t, language } = useLanguage();
  const { client, session } = usePortal();
  const queries = useQueryClient();
  const router = useRouter();
  const next: Readonly<Record<string, string>> = useSearch({ strict: false });
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setSending] = useState(false);

  async function logIn(form: FormData): Promise<void> {
    setSending(true);
    setProblem(undefined);
    try {
      const body = { userName: textOf(form, 'userName'), password: textOf(form, 'password') };
      const login = await client.call('LoginManager', {}, { body });
      queries.clear();
      queries.setQueryData(['GetCurrentManager', {}, language], login.manager);
      session.begin(login);
      router.history.push(router.buildLocation({ to: safeNext(next['next']) }).publicHref);
    } catch (error) {
      setProblem(toProblem(error));
      setSending(false);
    }
  }

  return (
    <form
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        void logIn(new FormData(event.currentTarget));
      }}
    >
      <LoginField name="userName" label={t('session.userName')} type="text" autoComplete="username" />
      <LoginField name="password" label={t('session.password')} type="password" autoComplete="current-password" />
      {problem === undefined ? undefined : <LoginProblem problem={problem} />}
      <button type="submit" className="button button-main" aria-disabled={isSending}>
        {t(isSending ? 'session.loggingIn' : 'session.logIn')}
      </button>
    </form>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

type LoginFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'password';
  readonly autoComplete: string;
};

function LoginField({ name, label, type, autoComplete }: LoginFieldProps): JSX.Element {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        required
      />
    </div>
  );
}

function LoginProblem({ problem }: { readonly problem: Problem }): JSX.Element {
  const { t } = useLanguage();
  if (problem.code === 'invalid-credentials')
    return (
      <p className="note note-bad" role="alert">
        {t('session.wrong')}
      </p>
    );
  return <ProblemPanel error={problem} />;
}

function LanguageChoice(): JSX.Element {
  const { t, language } = useLanguage();
  const { languages } = usePortal();
  const id = useId();
  return (
    <div className={`field ${styles.language}`}>
      <label htmlFor={id}>{t('menu.language')}</label>
      <select
        id={id}
        value={language}
        onChange={({ target: { value } }) => {
          if (isLanguage(value)) void languages.choose(value);
        }}
      >
        {Object.entries(languageNames).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
