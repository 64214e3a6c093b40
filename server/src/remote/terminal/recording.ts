import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { limits } from '@farlink/contract/limits.ts';

interface Head {
  readonly cols: number;
  readonly rows: number;
  readonly now: number;
  readonly title: string;
}

/** Reserved bytes for the final message. */
const reserve = 1024;

/**
 * Terminal output as asciicast version 2. Only the screen is recorded, so a password that the device does not echo is not included. The
 * size is limited; the recording notes where it stopped.
 */
export class Recording {
  readonly path: string;
  readonly #file;
  readonly #began = performance.now();
  readonly #decoder = new TextDecoder();
  readonly #failed: (error: Error) => void;
  #size = 0;
  #full = false;

  private constructor(path: string, head: Head, failed: (error: Error) => void) {
    this.path = path;
    this.#failed = failed;
    this.#file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.#file.on('error', (error) => this.#failed(error));
    const { cols, rows, now, title } = head;
    this.#put({ version: 2, width: cols, height: rows, timestamp: now, title, env: { TERM: 'xterm-256color' } });
  }

  /** `failed` is called when it cannot be written. A session must not continue without its recording. */
  static async open(path: string, head: Head, failed: (error: Error) => void): Promise<Recording> {
    await mkdir(dirname(path), { recursive: true });
    return new Recording(path, head, failed);
  }

  #put(line: unknown) {
    const text = `${JSON.stringify(line)}\n`;
    this.#size += Buffer.byteLength(text);
    this.#file.write(text);
  }

  #event(kind: 'o' | 'r', data: string) {
    if (this.#full) return;
    const at = Math.round(performance.now() - this.#began) / 1000;
    // A character takes at most six bytes in JSON.
    if (this.#size + data.length * 6 > limits.remoteRecordBytes - reserve) {
      this.#full = true;
      this.#put([at, 'o', '\r\n\x1b[7m-- 录像已达上限 / end of the recording --\x1b[0m\r\n']);
    } else this.#put([at, kind, data]);
  }

  shown(bytes: Buffer) {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text !== '') this.#event('o', text);
  }

  resized(cols: number, rows: number) {
    this.#event('r', `${cols}x${rows}`);
  }

  /** Closes the file and returns its size; undefined if it could not be written. */
  async finish(): Promise<number | undefined> {
    this.#file.end();
    try {
      await finished(this.#file);
      return (await stat(this.path)).size;
    } catch {
      return undefined;
    }
  }
}
