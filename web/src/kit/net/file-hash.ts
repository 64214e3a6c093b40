import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** One step takes a few milliseconds. */
const stepBytes = 1024 * 1024;

/** Lets the browser handle input and paint. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

/** SHA-256 of a file by chunks. The browser API needs the whole file in memory, and HTTPS, which ship networks may not have. */
export const startFileHash = () => {
  const hash = sha256.create();
  return {
    update: async (bytes: Uint8Array): Promise<void> => {
      for (let at = 0; at < bytes.length; at += stepBytes) {
        hash.update(bytes.subarray(at, at + stepBytes));
        await nextTask();
      }
    },
    hex: (): string => bytesToHex(hash.digest()),
  };
};
