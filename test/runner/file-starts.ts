// Announces the test file that begins, in a process that runs several, to the preloaded modules, which are separate
// instances.
import { channel } from 'node:diagnostics_channel';

const fileStarts = channel('portal:test-file-starts');

export const tellFileStarts = (file: string): void => fileStarts.publish(file);

export const onFileStart = (listener: (file: string) => void): void =>
  fileStarts.subscribe((file) => listener(String(file)));
