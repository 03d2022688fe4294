// The opening hours of a weekday as its setting has them: `07:00-12:00,13:00-22:00`, `closed`, or nothing if unknown.

export type OpeningTimes = {
  readonly kind: 'unknown' | 'closed' | 'hours';
  readonly intervals: readonly OpeningInterval[];
};
type OpeningInterval = { readonly from: string; readonly to: string };

export const maxIntervals = 8;
export const usualInterval: OpeningInterval = { from: '07:00', to: '22:00' };

export function parseOpeningTimes(text: string): OpeningTimes {
  if (text === '') return { kind: 'unknown', intervals: [] };
  if (text === 'closed') return { kind: 'closed', intervals: [] };
  const intervals = text.split(',').map((each) => {
    const [from = '', to = ''] = each.split('-');
    return { from, to };
  });
  return { kind: 'hours', intervals };
}

export const formatOpeningTimes = ({ kind, intervals }: OpeningTimes): string => {
  if (kind !== 'hours') return kind === 'closed' ? 'closed' : '';
  return intervals.map(({ from, to }) => `${from}-${to}`).join(',');
};
