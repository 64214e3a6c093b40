import type { Result } from '@farlink/gateway/protocol/message.ts';
import { Download, type Source } from './download.ts';
import type { GatewayCore, TransferGateway } from './gateway-core.ts';
import { type Act, done, fail } from './operations/result.ts';

export const todos = ['none', 'install', 'decompress', 'execute'] as const;

export interface FileTask extends Source {
  readonly task: string;
  readonly name: string;
  readonly path: string;
  /** Next step after the download. */
  readonly todo: (typeof todos)[number];
}

const archive = { name: /\.(zip|gz|tgz|tar|bz2|xz|7z|rar|zst)$/i, heads: ['504b', '1f8b', '425a', 'fd377a', '377abc', '526172', '28b52f'] };
const isArchive = (name: string, head: Buffer) =>
  archive.name.test(name) || archive.heads.some((h) => head.toString('hex').startsWith(h)) || head.toString('latin1', 257, 262) === 'ustar';

/** A download in the gateway's own task list. */
export interface TaskRecord {
  readonly task: string;
  readonly name: string;
  readonly size: number;
  readonly todo: FileTask['todo'];
  readonly start: number;
  readonly link: string | undefined;
  code: number;
  finish?: number;
  err?: string | undefined;
}
const maxRecords = 50;

interface StoredFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

type FilesGateway = TransferGateway & Pick<GatewayCore, 'current' | 'now'>;

/** Files from the console: running downloads and stored files. */
export class Files {
  readonly #gateway: FilesGateway;
  readonly #running = new Map<string, Download>();
  readonly #here = new Map<string, StoredFile>();
  #records: TaskRecord[] = [];

  constructor(gateway: FilesGateway) {
    this.#gateway = gateway;
  }

  get here(): readonly StoredFile[] {
    return [...this.#here.values()];
  }

  /** Newest first. */
  get records(): readonly TaskRecord[] {
    return this.#records.toReversed();
  }

  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  of(task: string): Download | undefined {
    return this.#running.get(task);
  }

  /** The link or the power changed. */
  disturb() {
    for (const download of this.#running.values()) download.disturb();
  }

  /** Downloads a file under a task name. Firmware and other callers pass their own name. */
  async load(task: string, source: Source, act: Act, { scale = 1, whole = false } = {}) {
    this.#running.get(task)?.stop();
    const onProgress = (pct: number, paused: boolean) => act.report({ st: 'run', pct: Math.floor(pct * scale), code: paused ? 2 : 1 });
    const download = new Download(this.#gateway, source, onProgress, { whole, service: task === 'firmware' ? 'update' : 'file' });
    this.#running.set(task, download);
    try {
      return { ...(await download.run()), head: download.head, body: download.body };
    } finally {
      if (this.#running.get(task) === download) this.#running.delete(task);
    }
  }

  async get(file: FileTask, act: Act): Promise<Result> {
    const { task, name, size, todo } = file;
    const record: TaskRecord = { task, name, size, todo, start: this.#gateway.now(), link: this.#gateway.current, code: 1 };
    this.#records = [...this.#records, record].slice(-maxRecords);
    const result = await this.#fetch(file, act);
    Object.assign(record, { code: result.code ?? 200, err: result.err, finish: this.#gateway.now() });
    return result;
  }

  async #fetch(file: FileTask, act: Act): Promise<Result> {
    const { code, err, head } = await this.load(file.task, file, act);
    if (code !== 100) return fail(err ?? 'failed', code);
    this.#here.set(file.task, { name: file.name, path: file.path, size: file.size });
    if (file.todo === 'none') return done(undefined, 100);
    await this.#gateway.wait(5);
    const fault = this.#gateway.faults.file;
    if (file.todo === 'install') return fault === 'install' ? fail('the package cannot be installed', 101) : done(undefined, 105);
    if (file.todo === 'execute') return fault === 'execute' ? fail('ended with exit code 1', 101) : done({ exit: 0 }, 103);
    return fault === 'unzip' || !isArchive(file.name, head) ? fail('not an archive', 102) : done(undefined, 104);
  }

  remove(task: string) {
    this.#running.get(task)?.stop();
    const record = this.#records.findLast((one) => one.task === task);
    if (record) Object.assign(record, { code: 255, finish: this.#gateway.now() });
    return this.#here.delete(task);
  }
}
