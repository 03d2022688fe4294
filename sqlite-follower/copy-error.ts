// Why a copy cannot be written, read or restored.

/** The message is the end of a sentence that begins with the name of the file or folder, and says what is wrong. */
export class CopyError extends Error {
  override name = 'CopyError';
}
