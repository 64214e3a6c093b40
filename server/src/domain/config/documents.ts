import { errors } from '@farlink/contract/errors.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { checkConfig, factoryDocs } from '@farlink/gateway/kit/config.ts';
import { readDocument, rowsOf, rowsPerStep } from '@farlink/gateway/kit/document.ts';
import type { ConfigProblem } from '@farlink/gateway/kit/problem.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { hashOf, type ShadowState, shadowState } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import { openDoc, openInSteps } from '../../config-doc/sealed.ts';
import type { Db } from '../../kit/deps.ts';
import { takeSteps } from '../../kit/jobs/take-steps.ts';
import { changedPaths } from './own-values.ts';

/** State of a section of a gateway; documents have open secrets. */
export interface SectionDoc {
  /** Desired document; else the document reported by the gateway; else the factory default. */
  readonly doc: JsonObject;
  /** 0: there is no desired revision. */
  readonly rev: number;
  readonly hash: string;
  /** Paths that belong to the device and follow no template, see `changedPaths`. */
  readonly own: readonly string[];
  /** `unread`: the gateway has a document that the console does not know, and `doc` is the factory default. */
  readonly state: ShadowState | 'none' | 'unread';
  /** Local change at the gateway that differs from the desired document. */
  readonly local?: JsonObject;
  /** Document in force at the gateway instead of `doc`, if it drifted or was refused. */
  readonly appliedDoc?: JsonObject;
  readonly err: string | null;
  readonly sent_at: number | null;
  readonly update_at: number | null;
  readonly at: number | null;
}

interface Row {
  readonly device_id: number;
  readonly section: string;
  readonly rev: number | null;
  readonly hash: string;
  readonly doc: JsonObject | null;
  readonly sent_at: number | null;
  readonly update_at: number | null;
  readonly own: string[] | null;
  readonly reported_rev: number | null;
  readonly reported_hash: string | null;
  readonly ok: boolean;
  readonly local: boolean;
  readonly reported_doc: JsonObject | null;
  readonly before_doc: JsonObject | null;
  readonly err: string | null;
  readonly at: number | null;
}

/**
 * A gateway that refused a revision keeps its previous document: the reported one, or the earlier revision with the reported hash. Without
 * a desired revision, the gateway has the one with the reported hash.
 */
const rowsSql = (ids: readonly number[], names: readonly string[]) => sql<Row>`
  select coalesce(d.device_id, r.device_id) as device_id, coalesce(d.section, r.section) as section, d.rev, d.hash, d.doc, d.sent_at, d.update_at,
    v.own, r.rev as reported_rev, r.hash as reported_hash, r.ok, r.local, r.doc as reported_doc, r.err, r.at, case when not r.ok or d.rev is null and r.doc is null then (
      select b.doc from config_revision b where b.device_id = r.device_id and b.section = r.section and b.hash = r.hash order by b.rev desc limit 1
    ) end as before_doc
  from (select * from desired_section where device_id = any(${ids}::bigint[]) and section = any(${names}::text[])) d
  full join (
    select * from reported_section where device_id = any(${ids}::bigint[]) and section = any(${names}::text[])
  ) r on r.device_id = d.device_id and r.section = d.section
  left join config_revision v on v.device_id = d.device_id and v.section = d.section and v.rev = d.rev`;

const sectionNames = [...factoryDocs.keys()];
const factoryHashes = new Map<string, string>();
const factoryHash = (section: string, doc: JsonObject) => {
  const hash = factoryHashes.get(section) ?? hashOf(doc);
  factoryHashes.set(section, hash);
  return hash;
};

const factorySection = (section: string): SectionDoc => {
  const doc = factoryDocs.get(section) ?? {};
  const nothing = { err: null, sent_at: null, update_at: null, at: null };
  return { doc, rev: 0, hash: factoryHash(section, doc), own: [], state: 'none', ...nothing };
};

/** The gateway has another document than the factory, and has not reported it. */
export const isUnread = (section: string, reportedHash: string | null, hasDoc: boolean): boolean =>
  reportedHash !== null && !hasDoc && reportedHash !== factoryHash(section, factoryDocs.get(section) ?? {});

/** Opened on first access and cached: few pages of a configuration are read, and one may contain 20,000 secrets. */
const lazy = <T>(make: () => T): (() => T) => {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
};

const sectionDoc = (row: Row, key: Buffer, known: ReadonlyMap<JsonObject, JsonObject>): SectionDoc => {
  const page = gatewayPages.get(row.section);
  if (!page) throw new Error(`no page ${row.section}`);
  const opened = (doc: JsonObject | null) => (isRecord(doc) ? (known.get(doc) ?? openDoc(page, doc, key)) : undefined);
  const factory = factorySection(row.section);
  const heldDoc = row.reported_doc ?? (row.rev === null ? row.before_doc : null);
  const reportedDoc = lazy(() => opened(heldDoc));
  const stamps = { err: null, sent_at: row.sent_at, update_at: row.update_at, at: row.at };
  if (row.rev === null) {
    if (isUnread(row.section, row.reported_hash, isRecord(heldDoc)))
      return { ...factory, state: 'unread', hash: row.reported_hash ?? factory.hash };
    if (!isRecord(heldDoc)) return factory;
    return {
      ...factory,
      ...stamps,
      hash: row.reported_hash ?? hashOf(reportedDoc() ?? {}),
      get doc() {
        return reportedDoc() ?? {};
      },
      get own() {
        return changedPaths(page, factory.doc, reportedDoc() ?? {});
      },
    };
  }
  const reported = row.reported_rev === null ? undefined : { rev: row.reported_rev, hash: row.reported_hash, ok: row.ok, local: row.local };
  const state = shadowState({ rev: row.rev, hash: row.hash, sent_at: row.sent_at }, reported);
  const local = state === 'drifted' ? reportedDoc() : undefined;
  const appliedDoc = state === 'failed' ? (reportedDoc() ?? opened(row.before_doc) ?? factory.doc) : local;
  const doc = lazy(() => opened(row.doc) ?? {});
  return {
    ...stamps,
    get doc() {
      return doc();
    },
    rev: row.rev,
    hash: row.hash,
    own: row.own ?? [],
    state,
    err: state === 'failed' ? row.err : null,
    ...(local && { local }),
    ...(appliedDoc && { appliedDoc }),
  };
};

/** Long lists of sections requested by name are opened in steps. A whole configuration is opened lazily. */
const openLongLists = async (rows: readonly Row[], key: Buffer) => {
  const opened = new Map<JsonObject, JsonObject>();
  for (const { section, doc, reported_doc } of rows) {
    const page = gatewayPages.get(section);
    for (const one of [doc, reported_doc])
      if (page && isRecord(one) && rowsOf(one).length > rowsPerStep) opened.set(one, await takeSteps(openInSteps(page, one, key)));
  }
  return opened;
};

export type SectionDocs = ReadonlyMap<string, SectionDoc>;

/** Sections of gateways in their current state. A section without any document has the factory default. */
export const docsOfMany = async (
  db: Db,
  ids: readonly number[],
  sections: readonly string[] | 'all',
  secretKey: Buffer,
): Promise<ReadonlyMap<number, SectionDocs>> => {
  const names = sections === 'all' ? sectionNames : sections;
  const { rows } = await rowsSql(ids, names).execute(db);
  const opened = await openLongLists(sections === 'all' ? [] : rows, secretKey);
  const known = Map.groupBy(rows, ({ device_id }) => device_id);
  return new Map(
    ids.map((id) => {
      const docs = new Map(names.map((section) => [section, factorySection(section)]));
      for (const row of known.get(id) ?? []) docs.set(row.section, sectionDoc(row, secretKey, opened));
      return [id, docs];
    }),
  );
};

/** Same for one gateway. */
export const docsOf = async (db: Db, deviceId: number, sections: readonly string[] | 'all', secretKey: Buffer): Promise<SectionDocs> =>
  (await docsOfMany(db, [deviceId], sections, secretKey)).get(deviceId) ?? new Map();

/** Document in force when the next change arrives: a pending change counts, a refused one does not. */
export const inForce = ({ doc, appliedDoc }: Pick<SectionDoc, 'doc' | 'appliedDoc'>): JsonObject => appliedDoc ?? doc;

/** Problems that prevent these documents from replacing the current ones. */
export const checkChange = (
  current: ReadonlyMap<string, Pick<SectionDoc, 'doc' | 'appliedDoc' | 'state'>>,
  changed: ReadonlyMap<string, JsonObject>,
): ConfigProblem[] => {
  const unread = [...changed.keys()].filter((section) => current.get(section)?.state === 'unread');
  if (unread.length > 0) return unread.map((section) => ({ section, path: '', text: errors.config_unread.text }));
  const faults = [...changed].flatMap(([section, doc]): ConfigProblem[] => {
    const page = gatewayPages.get(section);
    return page ? readDocument(page, doc).problems.map((problem) => ({ ...problem, section })) : [];
  });
  // Rules run only on documents whose fields are valid.
  if (faults.length > 0) return faults;
  const wasOf = (section: string) => {
    const now = current.get(section);
    return now ? inForce(now) : (factoryDocs.get(section) ?? {});
  };
  return checkConfig([...changed.keys()], (section) => changed.get(section) ?? wasOf(section), wasOf);
};
