// The few pieces of Markdown that the generated documents are made of.

export const code = (text: string): string => `\`${text}\``;

export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Puts blocks together, a blank line between each two. */
export const page = (...blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;
