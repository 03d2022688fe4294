// Names the streams of a computer.

/** What costs money or opens doors, and everything else: a week of samples never delays money. */
export const streamNames = ['money', 'samples'] as const;
export type StreamName = (typeof streamNames)[number];
