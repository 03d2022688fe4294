// Formats Content-Disposition (RFC 6266) for files whose names come from data.

/** Characters that no file system takes, and controls. */
const unsafeCharacters = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}]/gu;

/** A text as a part of a file name: at most `maxLength` characters, none of which a file system refuses. */
export const toFileNamePart = (text: string, maxLength = 80): string =>
  Array.from(text.toWellFormed().replaceAll(unsafeCharacters, '_').trim()).slice(0, maxLength).join('');

/** The name must be well-formed, as {@link toFileNamePart} makes it. */
export function formatContentDisposition(type: 'inline' | 'attachment', fileName: string): string {
  // A percent sign could be taken for an escape (RFC 6266, appendix D).
  const fallback = fileName.replaceAll(/[^ -~]|[%"\\]/gu, '_');
  const plain = `${type}; filename="${fallback}"`;
  return fallback === fileName ? plain : `${plain}; filename*=UTF-8''${encodeExtendedValue(fileName)}`;
}

/** RFC 8187, 3.2.1: of these characters encodeURIComponent leaves four as they are that are no attr-char. */
const encodeExtendedValue = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
