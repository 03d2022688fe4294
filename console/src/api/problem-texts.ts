// What the service has against a request, in the language of the reader: the service says it in English, with a code.

import type { TextKey, TextValues, Translate } from '../language/catalogue.ts';
import type { Formats } from '../language/formats.ts';
import type { FieldError, FieldFaultCode } from './operations.ts';
import type { Problem } from './problem.ts';

const faultTexts: Readonly<Record<FieldFaultCode, TextKey>> = {
  required: 'fault.required',
  'unknown-field': 'fault.notAccepted',
  'wrong-type': 'fault.notAccepted',
  'wrong-pattern': 'fault.notAccepted',
  'not-in-list': 'fault.notInList',
  'too-small': 'field.atLeast',
  'too-large': 'field.atMost',
  'wrong-step': 'field.step',
  'too-many-decimals': 'fault.decimals',
  'not-a-number': 'field.notNumber',
  'too-short': 'fault.tooShort',
  'too-long': 'fault.tooLong',
  'too-few-items': 'fault.tooFew',
  'too-many-items': 'fault.tooMany',
  'control-characters': 'fault.characters',
  'not-a-date': 'fault.date',
  'not-an-instant': 'fault.date',
  'not-a-time': 'fault.time',
  'not-a-kid': 'fault.kid',
  'not-an-email': 'fault.email',
  'not-a-phone': 'fault.phone',
  'not-a-key': 'fault.key',
  'not-a-pin': 'fault.pin',
  'weak-pin': 'fault.weak',
  'weak-password': 'fault.weak',
  'not-repeated': 'fault.notRepeated',
  'not-new': 'fault.notNew',
};

/** What they mean to the reader. Codes that only a defect can cause say what to do about one. */
const problemTexts: Readonly<Record<string, TextKey>> = {
  // What was entered
  'invalid-request': 'refused.value',
  'invalid-kid': 'refused.value',
  'invalid-user': 'refused.value',
  'invalid-setting': 'refused.value',
  'invalid-profile': 'refused.value',
  'invalid-service-kid': 'refused.value',
  'invalid-service-profile': 'refused.value',
  'invalid-password': 'refused.password',
  'invalid-code': 'refused.code',
  'invalid-credentials': 'session.wrong',
  'payload-too-large': 'refused.tooLarge',
  'computer-name-taken': 'refused.computerName',
  'key-exists': 'refused.key',
  'user-exists': 'refused.email',
  'unit-has-computer': 'refused.connected',
  'import-missing-rows': 'refused.missingRows',
  // What the manager may do
  unauthenticated: 'problem.unauthenticatedAdvice',
  forbidden: 'problem.forbiddenAdvice',
  'missing-services-tab': 'problem.forbiddenAdvice',
  'missing-services-read': 'problem.forbiddenAdvice',
  'missing-services-write': 'problem.forbiddenAdvice',
  'missing-tenant-access': 'problem.forbiddenAdvice',
  'own-permissions': 'manager.ownRefused',
  'last-administrator': 'refused.lastAdministrator',
  'not-found': 'problem.notFoundAdvice',
  // What has changed
  'address-conflict': 'problem.conflict',
  'booking-conflict': 'problem.conflict',
  'computer-conflict': 'problem.conflict',
  'held-line-conflict': 'problem.conflict',
  'import-conflict': 'problem.conflict',
  'import-profile-conflict': 'problem.conflict',
  'installer-icon-conflict': 'problem.conflict',
  'manager-conflict': 'problem.conflict',
  'profile-conflict': 'problem.conflict',
  'service-profile-conflict': 'problem.conflict',
  'setting-conflict': 'problem.conflict',
  'sync-conflict': 'problem.conflict',
  'user-conflict': 'problem.conflict',
  'precondition-failed': 'problem.conflict',
  'already-reversed': 'refused.reversed',
  'booking-overlap': 'refused.overlap',
  'computer-revoked': 'computer.revoked',
  'held-line-ended': 'held.wasEnded',
  // What is not possible
  'bank-full': 'refused.bankFull',
  'booking-ended': 'refused.ended',
  'booking-not-allowed': 'command.notPossible',
  'command-not-allowed': 'command.notPossible',
  'command-not-supported': 'refused.noCommand',
  'held-line-not-bookable': 'refused.line',
  'import-not-allowed': 'command.notPossible',
  'not-reversible': 'refused.notReversible',
  'read-only-setting': 'refused.readOnly',
  'too-many-profiles': 'refused.profiles',
  'export-too-large': 'refused.tooMuch',
  'document-too-large': 'refused.tooMuch',
  'search-too-large': 'refused.tooMuch',
  'too-many-series': 'refused.tooMuch',
  // What has to wait
  'too-many-attempts': 'refused.attempts',
  'too-many-renewals': 'refused.hour',
  'too-many-verifications': 'refused.hour',
  'too-many-requests': 'problem.tooManyAdvice',
  'unread-answers': 'problem.tooManyAdvice',
  'uploads-busy': 'problem.tooManyAdvice',
  'login-busy': 'problem.tooManyAdvice',
  'idempotency-in-progress': 'problem.tooManyAdvice',
  'mail-unavailable': 'refused.mail',
  'request-timeout': 'problem.unreachableAdvice',
  'clock-behind': 'problem.failedAdvice',
  'services-unavailable': 'problem.failedAdvice',
  'storage-outcome-unknown': 'problem.failedAdvice',
  'storage-text-comparison': 'problem.failedAdvice',
  'storage-timeout': 'problem.failedAdvice',
  'storage-unavailable': 'problem.failedAdvice',
  // What is no fault of the reader
  'header-too-large': 'problem.failedAdvice',
  'idempotency-mismatch': 'problem.failedAdvice',
  'internal-error': 'problem.failedAdvice',
  'invalid-idempotency-key': 'problem.failedAdvice',
  'malformed-body': 'problem.failedAdvice',
  'unknown-host': 'problem.failedAdvice',
  'unsupported-media-type': 'problem.failedAdvice',
  'unsupported-transfer-coding': 'problem.failedAdvice',
  'uri-too-long': 'problem.failedAdvice',
};

const reasonTexts: Readonly<Record<string, TextKey>> = {
  'not-retained': 'resident.notRetained',
  'not-active': 'resident.notActive',
  'too-many-keys': 'resident.tooManyKeys',
  malformed: 'held.malformed',
  'unknown-unit': 'held.unknownUnit',
  'foreign-currency': 'held.foreignCurrency',
  'ref-conflict': 'held.refConflict',
  'unknown-ref': 'held.unknownRef',
  'invalid-amount': 'held.invalidAmount',
  'booking-refused': 'held.bookingRefused',
};

/** Undefined if there is none: then the service's own words have to do. */
export const findProblemText = (code: string): TextKey | undefined => problemTexts[code];

const findReasonText = (reason: string | undefined): TextKey | undefined => reasonTexts[reason ?? ''];

/** The language of the reader. */
type Reader = { readonly t: Translate; readonly formats: Pick<Formats, 'number'> };

export type ProblemText = {
  readonly text: string;
  /** In the words of the service. */
  readonly isEnglish: boolean;
};

/** What is wrong with a field. */
export function textOfFault({ code, limit, message }: FieldError, { t, formats }: Reader): ProblemText {
  const key = code === undefined ? undefined : faultTexts[code];
  if (key === undefined) return { text: message, isEnglish: true };
  const shown = limit !== undefined && /^-?\d{1,15}(?:\.\d+)?$/.test(limit) ? formats.number(Number(limit)) : limit;
  const values: TextValues = shown === undefined ? {} : { limit: shown, from: shown, to: shown, step: shown };
  return { text: t(key, values), isEnglish: false };
}

/** Why the service refuses a request: what the code means, and the reason that it names. */
export function textsOfProblem({ code, reason, message, status }: Problem, { t }: Pick<Reader, 't'>): ProblemText[] {
  const text = findProblemText(code);
  const own: ProblemText =
    text === undefined ? { text: message, isEnglish: true } : { text: t(text), isEnglish: false };
  if (text === undefined || reason === undefined || status !== refusedStatus) return [own];
  const because = findReasonText(reason);
  return [own, because === undefined ? { text: message, isEnglish: true } : { text: t(because), isEnglish: false }];
}

/** The status of requests that the state of the data does not allow: these codes have several reasons. */
const refusedStatus = 422;
