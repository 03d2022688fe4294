// Creates the mail with a verification code. It contains no text that a manager wrote, so that nobody can use it to
// send messages to others.

import emailVerification from '../../../../locales/email-verification.json' with { type: 'json' };
import { fillPlaceholders, localisedTexts, type Language } from '../../../lib/text/language.ts';
import { escapeHtml } from '../../../lib/text/escape-html.ts';
import type { Mail } from '../../../providers/mail/mailer.ts';
import { codeLifetimeMinutes } from './verification-code.ts';

type VerificationMailInput = {
  readonly to: string;
  readonly code: string;
  readonly language: Language;
  /** The name of the tenant's portal. */
  readonly portal: string;
};

const textsByLanguage = localisedTexts(emailVerification);

export function createVerificationMail({ to, code, language, portal }: VerificationMailInput): Mail {
  const texts = textsByLanguage[language];
  const fill = (key: string): string =>
    fillPlaceholders(texts.get(key) ?? '', { portal, minutes: codeLifetimeMinutes });
  const [subject, reason, enterCode, lifetime, ignore] = ['subject', 'reason', 'enterCode', 'lifetime', 'ignore'].map(
    fill,
  ) as [string, string, string, string, string];
  return {
    to,
    language,
    subject,
    text: `${[reason, `${enterCode}\n\n    ${code}`, lifetime, ignore].join('\n\n')}\n`,
    html: formatHtml({ language, subject, before: [reason, enterCode], code, after: [lifetime, ignore] }),
  };
}

type HtmlParts = {
  readonly language: Language;
  readonly subject: string;
  readonly before: readonly string[];
  readonly code: string;
  readonly after: readonly string[];
};

function formatHtml({ language, subject, before, code, after }: HtmlParts): string {
  const paragraphs = (texts: readonly string[]): string => texts.map((text) => `<p>${escapeHtml(text)}</p>\n`).join('');
  return `<!DOCTYPE html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family: sans-serif">
${paragraphs(before)}<p style="font-family: monospace; font-size: 150%">${escapeHtml(code)}</p>
${paragraphs(after)}</body>
</html>
`;
}
