import type { Random } from '@farlink/contract/kit/random.ts';
import { type SampleRow, type SampleSession, sampleActivity, sampleAuth, sampleTerminal } from '@farlink/gateway/kit/sample-audit.ts';
import type { AuditStream } from '@farlink/gateway/protocol/audit.ts';
import type { PackedBatch } from '../sampler.ts';

interface AuditGateway {
  readonly sn: string;
  readonly boot: string;
  readonly firmware: { readonly storesAccounts: boolean };
  fork(part: string): Random;
  now(): number;
}

interface BrowsingSession extends SampleSession {
  readonly at: number;
  readonly browses: boolean;
}

/** Rows a minute of a gateway with users, logins not included. */
const usualRate = 3;
/** Steps per batch, as of the other streams. */
const batchEvery = 5;
/** Rows of a batch, so that it fits into a packet. */
const maxRows = 60;

/** 16 bytes in hex. Derived from the seed, so that runs are repeatable; a real gateway uses random bytes. */
const saltOf = (random: Random): string =>
  Array.from({ length: 4 }, () => random.int(0, 0xffff_ffff).toString(16).padStart(8, '0')).join('');

/** Audit data of the people on board. Rows are collected by stream and packed into numbered batches; older gateways have none. */
export class AuditReports {
  readonly #gateway: AuditGateway;
  readonly #random: Random;
  readonly #rate: number;
  #boot: string;
  #steps = 0;
  #due = 0;
  #seq: Partial<Record<AuditStream, number>> = {};
  readonly #rows = new Map<AuditStream, SampleRow[]>();

  constructor(gateway: AuditGateway, rate = usualRate) {
    this.#gateway = gateway;
    this.#random = gateway.fork('audit');
    this.#rate = rate;
    this.#boot = gateway.boot;
  }

  #add(stream: AuditStream, row: SampleRow) {
    if (!this.#gateway.firmware.storesAccounts || this.#rate === 0) return;
    const rows = this.#rows.get(stream);
    if (rows) rows.push(row);
    else this.#rows.set(stream, [row]);
  }

  login(session: BrowsingSession) {
    this.#add('a_auth', sampleAuth(this.#gateway.sn, session, session.at));
    this.#add('a_term', sampleTerminal(this.#random, session, session.at));
  }

  logout(session: BrowsingSession, at: number) {
    this.#add('a_auth', sampleAuth(this.#gateway.sn, session, session.at, at));
  }

  /** Activity of people in these real seconds. */
  browse(sessions: readonly BrowsingSession[], seconds: number) {
    const browsing = sessions.filter(({ browses }) => browses);
    this.#due = browsing.length === 0 ? 0 : this.#due + (this.#rate * seconds) / 60;
    for (; this.#due >= 1; this.#due--) {
      const session = browsing[this.#random.int(0, browsing.length - 1)];
      const at = this.#gateway.now() - this.#random.int(0, Math.floor(seconds));
      if (session) this.#add(...sampleActivity(this.#random, session, Math.max(at, session.at), () => saltOf(this.#random)));
    }
  }

  /** Called once per step. Returns the batches that are ready. */
  step(): PackedBatch[] {
    return ++this.#steps % batchEvery === 0 ? this.packNow() : [];
  }

  packNow(): PackedBatch[] {
    const batches = [...this.#rows].flatMap(([stream, rows]) =>
      Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, i) => this.#batch(stream, rows.slice(i * maxRows, (i + 1) * maxRows))),
    );
    this.#rows.clear();
    return batches;
  }

  /** Columns are those that some row has. */
  #batch(stream: AuditStream, rows: readonly SampleRow[]): PackedBatch {
    const seq = (this.#seq[stream] ?? 0) + 1;
    this.#seq[stream] = seq;
    const c = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const v = rows.map((row) => c.map((name) => row[name] ?? null));
    return { stream, seq, rows: rows.length, body: { b: this.#boot, seq, t0: Math.max(0, this.#gateway.now()), dt: 0, c, v } };
  }

  reboot(boot: string): PackedBatch[] {
    const batches = this.packNow();
    this.#boot = boot;
    this.#seq = {};
    return batches;
  }
}
