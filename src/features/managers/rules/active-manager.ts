// Decides whether a manager may use the service.

export type ManagerActivity = { readonly active: number; readonly deleted_at: number | null };

export const isActiveManager = ({ active, deleted_at }: ManagerActivity): boolean =>
  active === 1 && deleted_at === null;
