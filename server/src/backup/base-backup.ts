import { Readable } from 'node:stream';
import { Client, type Connection, type Submittable } from 'pg';

/** Messages of the copy stream of BASE_BACKUP, by first byte. */
const newArchive = 'n'.charCodeAt(0);
const data = 'd'.charCodeAt(0);

/**
 * The command BASE_BACKUP of the replication protocol, as pg_basebackup sends it: the server sends a tar of the whole cluster and of the WAL
 * that makes it consistent.
 */
class BaseBackup extends Readable implements Submittable {
  readonly #command: string;
  #connection: Connection | undefined;
  #archives = 0;

  constructor(command: string) {
    super({ highWaterMark: 1024 * 1024 });
    this.#command = command;
  }

  submit(connection: Connection) {
    this.#connection = connection;
    connection.query(this.#command);
  }

  override _read() {
    this.#connection?.stream.resume();
  }

  handleCopyData({ chunk }: { chunk: Buffer }) {
    if (chunk[0] === newArchive && ++this.#archives > 1) this.destroy(new Error('the cluster has tablespaces outside its folder'));
    if (chunk[0] !== data || this.destroyed) return;
    // The chunk is part of a buffer that the parser uses again.
    if (!this.push(Buffer.from(chunk.subarray(1)))) this.#connection?.stream.pause();
  }

  handleError(error: Error) {
    this.destroy(error);
  }

  handleReadyForQuery() {
    if (!this.destroyed) this.push(null);
  }

  handleRowDescription() {}
  handleDataRow() {}
  handleCommandComplete() {}
}

/** Streams a consistent copy of a running cluster as tar. The slot keeps the WAL that is written meanwhile; it ends with the connection. */
export async function* baseBackup(url: string): AsyncGenerator<Buffer> {
  const at = new URL(url);
  at.searchParams.set('replication', 'database');
  const client = new Client({ connectionString: at.href, application_name: 'farlink backup', keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`CREATE_REPLICATION_SLOT farlink_backup_${process.pid} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    yield* client.query(new BaseBackup("BASE_BACKUP (LABEL 'farlink', CHECKPOINT 'fast', WAL true, MANIFEST 'no')"));
  } finally {
    client.connection.stream.destroy();
    await client.end().catch(() => {});
  }
}
