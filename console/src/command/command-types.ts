// What a command takes, and what it gives to its dialog and its fields.

import type { Client, ReadId, WriteId } from '../api/client.ts';
import type { Problem } from '../api/problem.ts';
import type { ProblemText } from '../api/problem-texts.ts';
import type { CommandEntry, FieldValue, Values, Version } from './command-store.ts';
import type { Done, Request } from './toast-store.ts';

export type Errors<V extends Values = Values> = { readonly [Name in keyof V]?: string | undefined };

export type Sending = {
  readonly client: Client;
  /** The key of the attempt, for one of the requests. */
  readonly key: string;
  readonly revision: string;
};

type How<Id extends WriteId, V extends Values, Result> =
  | {
      /** @param revision with which the manager began; empty if it has none */
      readonly request: (values: V, revision: string) => Request<Id>;
      readonly perform?: never;
    }
  | {
      /** Several requests: a second try must leave alone what the first one has done. */
      readonly perform: (values: V, sending: Sending) => Promise<Result>;
      readonly request?: never;
    };

export type FieldOptions<V extends Values> = {
  /** What the service has stored: the fields begin with it. */
  readonly stored: Version<V>;
  /** What the console cannot make sense of, such as a number without digits. All else is for the service to say. */
  readonly check?: (values: V) => Errors<V>;
};

export type CommandOptions<Id extends WriteId, V extends Values, Result> = FieldOptions<V> &
  How<Id, V, Result> & {
    /** The name of the command as the address has it, and after a dot what it is about. */
    readonly name: string;
    readonly id: Id;
    /** The reads whose answers it changes. */
    readonly invalidates: readonly ReadId[];
    /** What is told afterwards; undefined if the dialog shows the answer and stays open. */
    readonly done: (answer: Result) => Done | undefined;
    /** Reads what is stored by now, where the service may answer that the revision is stale. */
    readonly reread?: (client: Client) => Promise<Version<V>>;
    /** Whether the manager has the right to it; what GetCurrentManager says of the operation unless told. */
    readonly isAllowed?: boolean;
    /** The fields have a password or a code in them: nothing of it is written down. */
    readonly isSecret?: boolean;
  };

/** A field of a command, for the components of `fields.tsx`. */
export type Field<Value extends FieldValue = FieldValue> = {
  readonly name: string;
  readonly value: Value;
  readonly change: (value: Value) => void;
  /** An error of the console's own, in the reader's language. */
  readonly error: string | undefined;
  readonly serviceErrors: readonly ProblemText[];
  readonly isDisabled: boolean;
  /** The longest text that the service takes. */
  readonly maxLength?: number | undefined;
};

export type Command<V extends Values = Values, Result = unknown> = {
  readonly name: string;
  readonly values: V;
  /** What was typed differs from what it began with. */
  readonly isChanged: boolean;
  readonly isSending: boolean;
  /** False: the right to it has gone while the manager was typing. */
  readonly isAllowed: boolean;
  /** It was typed before the dialog was opened. */
  readonly isResumed: boolean;
  readonly problem: Problem | undefined;
  /** It was sent, and nobody knows whether it was done. */
  readonly isUncertain: boolean;
  /** Sent again, it is not done twice. */
  readonly isKeyed: boolean;
  readonly base: Version<V>;
  /** What somebody else has stored since the manager began. */
  readonly theirs: Version<V> | undefined;
  /** The answer that the dialog shows, where `done` keeps it open. */
  readonly answer: Result | undefined;
  field<Name extends keyof V & string>(name: Name): Field<V[Name]>;
  /** What the console itself cannot make sense of. */
  readonly errors: Errors<V>;
  send(): Promise<void>;
  /** Goes on with what the manager has chosen of both versions. */
  resolve(merged: V): void;
  /** Closes the dialog; what was typed stays, unless it is secret. */
  close(): void;
  /** Closes it, and forgets what was typed and what was sent. */
  discard(): void;
  /** Closes it, and reads again what it may have changed. */
  look(): void;
};

export type KeptEntry = {
  readonly entry: CommandEntry | undefined;
  /** Reads the entry as it is by now: answers come when more may have been typed. */
  readonly readEntry: () => CommandEntry | undefined;
  readonly keep: (change: Partial<CommandEntry>) => void;
  readonly forget: () => void;
  /** It was done: what was sent stays on the screen until the dialog is closed. */
  readonly finish: () => void;
};
