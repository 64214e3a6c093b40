import { errors } from '@farlink/contract/errors.ts';
import type { FileType } from '@farlink/contract/file/choices.ts';
import { fileCalls } from '@farlink/contract/file/file.ts';
import { CallError, call } from '../../kit/net/call.ts';
import { Sha256 } from '../../kit/net/sha256.ts';
import { isObject } from '../../kit/net/wire.ts';

export interface Sending {
  readonly signal: AbortSignal;
  /** Bytes that are at the server, and how many of them were there before. */
  readonly progress: (sent: number, before: number) => void;
}

const mostTries = 5;
/** What a network, a proxy or a moment without a server answers; anything else is meant. */
const isTransport = (error: unknown) => error instanceof CallError && (error.code < 0 || error.code === errors.unavailable.code);

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((go, stop) => {
    const timer = setTimeout(go, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      stop(signal.reason);
    });
  });

/** How far the server is, where it says that a part does not follow on what it has. */
const receivedOf = (error: unknown) =>
  error instanceof CallError && error.code === errors.upload_offset.code && isObject(error.data) ? Number(error.data.received) : undefined;

const sendChunk = async (id: number, offset: number, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<number> => {
  for (let tries = 1; ; tries++) {
    const isLast = tries === mostTries;
    try {
      const chunk = new Blob([bytes]);
      return (await call(fileCalls.part, { id, offset, part: chunk }, { overlay: false, silent: !isLast, signal })).received;
    } catch (error) {
      // The answer was lost, not the part; or another tab has sent it.
      const received = receivedOf(error);
      if (received !== undefined && received > offset) return received;
      if (isLast || !isTransport(error)) throw error;
      await pause(500 * 2 ** tries, signal);
    }
  }
};

/** By which the same file is known again after a reload. */
const markOf = ({ name, size, lastModified }: File) => `${name}:${size}:${lastModified}`;

/** Sends a file in parts, from where an earlier attempt broke off, and tells what makes it one: its number and its hash. */
export const sendChunks = async (file: File, type: FileType, { signal, progress }: Sending) => {
  const asked = { file_name: file.name, size: file.size, type, mark: markOf(file) };
  const { id, received: before, part_size } = await call(fileCalls.begin, asked, { overlay: false, signal });
  const hash = new Sha256();
  let received = before;
  progress(received, before);
  for (let at = 0; at < file.size; at += part_size) {
    signal.throwIfAborted();
    const bytes = new Uint8Array(await file.slice(at, at + part_size).arrayBuffer());
    hash.update(bytes);
    if (at >= received) received = await sendChunk(id, at, bytes, signal);
    progress(Math.min(received, file.size), before);
  }
  return { upload_id: id, sha256: hash.hex() };
};
