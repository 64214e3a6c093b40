import { errors } from '@farlink/contract/errors.ts';
import type { FileType } from '@farlink/contract/file/choices.ts';
import { fileCalls } from '@farlink/contract/file/file.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { CallError, call } from '../../kit/net/call.ts';
import { startFileHash } from '../../kit/net/file-hash.ts';

export interface Sending {
  readonly signal: AbortSignal;
  /** Bytes at the server, and bytes of earlier attempts. */
  readonly progress: (sent: number, before: number) => void;
}

const maxTries = 5;
/** A transport failure allows a retry; other errors do not. */
const isTransport = (error: unknown) => error instanceof CallError && (error.code < 0 || error.code === errors.unavailable.code);

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, stop) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      stop(signal.reason);
    });
  });

/** The offset of the server, if it refused a chunk with the wrong offset. */
const receivedOf = (error: unknown) =>
  error instanceof CallError && error.code === errors.upload_offset.code && isRecord(error.data) ? Number(error.data.received) : undefined;

const sendChunk = async (id: number, offset: number, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<number> => {
  for (let tries = 1; ; tries++) {
    const isLast = tries === maxTries;
    try {
      const chunk = new Blob([bytes]);
      return (await call(fileCalls.uploadChunk, { id, offset, part: chunk }, { overlay: false, silent: !isLast, signal })).received;
    } catch (error) {
      // Only the response was lost, or another tab has sent the chunk.
      const received = receivedOf(error);
      if (received !== undefined && received > offset) return received;
      if (isLast || !isTransport(error)) throw error;
      await pause(500 * 2 ** tries, signal);
    }
  }
};

/** Identifies the same file after a reload. */
const markOf = ({ name, size, lastModified }: File) => `${name}:${size}:${lastModified}`;

/** Uploads a file in chunks, resumes an earlier attempt, and returns its upload id and hash. */
export const sendChunks = async (file: File, type: FileType, { signal, progress }: Sending) => {
  const request = { file_name: file.name, size: file.size, type, mark: markOf(file) };
  const { id, received: before, part_size } = await call(fileCalls.begin, request, { overlay: false, signal });
  const hash = startFileHash();
  let received = before;
  progress(received, before);
  for (let at = 0; at < file.size; at += part_size) {
    signal.throwIfAborted();
    const bytes = new Uint8Array(await file.slice(at, at + part_size).arrayBuffer());
    await hash.update(bytes);
    if (at >= received) received = await sendChunk(id, at, bytes, signal);
    progress(Math.min(received, file.size), before);
  }
  return { upload_id: id, sha256: hash.hex() };
};
