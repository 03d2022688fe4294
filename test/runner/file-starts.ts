// Tells of the test file that begins now, in a process that runs several: to what is preloaded into it, which is an instance
// of its own.
import { channel } from 'node:diagnostics_channel';

const fileStarts = channel('portal:test-file-starts');

export const tellFileStarts = (file: string): void => fileStarts.publish(file);

export const onFileStart = (listener: (file: string) => void): void =>
  fileStarts.subscribe((file) => listener(String(file)));
