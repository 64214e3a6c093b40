import type { JsonObject } from '../../protocol/shape.ts';
import { checkConfig, factoryDocs } from '../config.ts';

export type Docs = Readonly<Record<string, JsonObject>>;

export const docOf = (docs: Docs) => (section: string) => docs[section] ?? factoryDocs.get(section) ?? {};

/** Problems when these sections are applied to factory documents. Missing references are ignored. */
export const broken = (docs: Docs, was: Docs = {}, changed = Object.keys(docs)) =>
  checkConfig(changed, docOf({ ...was, ...docs }), docOf(was))
    .filter(({ text }) => !text[1].includes('no longer exists'))
    .map(({ section, path }) => `${section} ${path}`);

export const rows = (...list: readonly JsonObject[]): JsonObject => ({ rows: list });
export const lan = (name: string, ipaddr: string, port = 'eth1', more: JsonObject = {}) => ({ name, ipaddr, ports: [{ port }], ...more });
