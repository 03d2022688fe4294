// The results of commands that are told at the edge of the screen: what was done, the way to it, and how to undo it.

import type { Body, Input, ReadId, WriteId } from '../api/client.ts';

/** A write of whatever operation, as `requestOf` makes it. */
export type AnyRequest = {
  readonly id: WriteId;
  readonly input: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

/** What an operation takes: its input, and its body if it has one. */
export type Request<Id extends WriteId> =
  undefined extends Body<Id>
    ? { readonly input: Input<Id>; readonly body?: Body<Id> }
    : { readonly input: Input<Id>; readonly body: Body<Id> };

/** A write that is sent later, such as one that undoes another. */
export const requestOf = <Id extends WriteId>(id: Id, { input, body }: Request<Id>): AnyRequest => ({
  id,
  input,
  body,
});

export type Done = {
  readonly text: string;
  /** The way to what has come of it. */
  readonly link?: { readonly to: string; readonly text: string; readonly search?: Readonly<Record<string, string>> };
  /** The opposite, where the service has one. */
  readonly undo?: AnyRequest;
};

export type Toast = Done & {
  readonly id: number;
  /** What is read again after it was undone. */
  readonly invalidates: readonly ReadId[];
};

export type ToastStore = {
  current(): readonly Toast[];
  show(toast: Omit<Toast, 'id'>): void;
  close(id: number): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
};

/** Only the newest: older ones would lie over the list that is being worked on. */
const maxShown = 1;

export function createToastStore(): ToastStore {
  const listeners = new Set<() => void>();
  let toasts: readonly Toast[] = [];
  let lastId = 0;

  function change(next: readonly Toast[]): void {
    toasts = next;
    for (const listener of listeners) listener();
  }

  return {
    current: () => toasts,
    show: (toast) => {
      lastId += 1;
      change([...toasts, { ...toast, id: lastId }].slice(-maxShown));
    },
    close: (id) => change(toasts.filter((toast) => toast.id !== id)),
    clear: () => change([]),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
