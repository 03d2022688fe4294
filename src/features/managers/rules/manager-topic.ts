// The commit topic of a manager: a transaction that changes their credentials or rights adds it to its changed topics.

const prefix = 'manager/';

export const managerTopic = (managerId: number): string => `${prefix}${managerId}`;

/** Undefined for any other topic. */
export const managerIdOfTopic = (topic: string): number | undefined =>
  topic.startsWith(prefix) ? Number(topic.slice(prefix.length)) : undefined;
