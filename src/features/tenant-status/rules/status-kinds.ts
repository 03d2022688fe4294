// The kinds of alerts in the tenant status, and the order of its items.

export const statusKinds = ['Offline', 'AutoOutOfOrder', 'HeldLines', 'ClockWrong', 'SyncStale'] as const;
export type StatusKind = (typeof statusKinds)[number];

export const isStatusKind = (text: string): text is StatusKind => (statusKinds as readonly string[]).includes(text);

type SortedAlert = {
  /** MS2000. */
  readonly at: number;
  readonly kind: StatusKind;
  readonly kid: string;
};

/** The newest first, then by kind and by KID, both as texts in the order of their code units. */
export const compareAlerts = (a: SortedAlert, b: SortedAlert): number =>
  b.at - a.at || compareTexts(a.kind, b.kind) || compareTexts(a.kid, b.kid);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
