import type { Fields } from '@farlink/contract/kit/field.ts';
import { checkConfig, factoryDocs } from '@farlink/gateway/kit/config.ts';
import { documentFields, readDocument } from '@farlink/gateway/kit/document.ts';
import { type FileValue, isFile } from '@farlink/gateway/kit/rules.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { isObject, type JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Sections } from '../sections.ts';

/** Reason why a bundle cannot be applied, and the section at fault. */
export interface Blame {
  readonly section: string;
  readonly err: string;
}

export interface DesiredSection {
  readonly rev: number;
  readonly h: string;
  readonly doc: JsonObject;
}

const blameAt = (section: string, path: string, text: string): Blame => ({
  section,
  err: `E_FIELD ${section}.${path}: ${text}`.slice(0, 500),
});

/**
 * Path of the first value whose type or form changes when it is parsed, e.g. a quoted number or padded text. Unknown fields are ignored.
 */
const misreadAt = (sent: unknown, parsed: unknown, at: string): string | undefined => {
  if (typeof parsed !== 'object' || parsed === null) return sent === parsed ? undefined : at;
  const isList = Array.isArray(parsed);
  if (isList && (!Array.isArray(sent) || sent.length !== parsed.length)) return at;
  const inside = new Map(typeof sent === 'object' && sent !== null ? Object.entries(sent) : []);
  for (const [name, one] of Object.entries(parsed)) {
    const wrong = misreadAt(inside.get(name), one, isList ? `${at}[${name}]` : `${at}${at && '.'}${name}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

/** Uses the schema of the console: first each document alone, then all of them with the other sections of the gateway. */
export const validateBundle = (
  desired: ReadonlyMap<string, DesiredSection>,
  sections: Sections,
  reject: ReadonlySet<string>,
): Blame | undefined => {
  for (const [section, { h, doc }] of desired) {
    if (hashOf(doc) !== h) return { section, err: 'E_HASH the document does not match its hash' };
    if (reject.has(section)) return { section, err: 'E_APPLY refused' };
    const page = gatewayPages.get(section);
    if (!page || !factoryDocs.has(section)) return { section, err: 'E_SECTION no such section' };
    const { problems, doc: read } = readDocument(page, doc);
    const [problem] = problems;
    if (problem) return blameAt(section, problem.path, problem.text[1]);
    const misread = misreadAt(doc, read, '');
    if (misread !== undefined) return blameAt(section, misread, 'Not in the format of a document');
  }
  const [broken] = checkConfig(
    [...desired.keys()],
    (section) => desired.get(section)?.doc ?? sections.doc(section),
    (section) => sections.doc(section),
  );
  return broken && blameAt(broken.section, broken.path, broken.text[1]);
};

export interface Named {
  readonly section: string;
  readonly path: string;
  readonly file: FileValue;
}

const named = (section: string, fields: Fields, values: Readonly<Record<string, unknown>>, at: string): Named[] =>
  Object.entries(values).flatMap(([name, value]): Named[] => {
    const field = fields[name];
    const inner = field?.items;
    if (inner && Array.isArray(value))
      return value.flatMap((one, i) => (isObject(one) ? named(section, inner, one, `${at}${name}[${i}].`) : []));
    return field?.kind === 'file' && isFile(value) ? [{ section, path: `${at}${name}`, file: value }] : [];
  });

/** The files that the documents refer to. */
export const filesNamed = (desired: ReadonlyMap<string, Pick<DesiredSection, 'doc'>>): Named[] =>
  [...desired].flatMap(([section, { doc }]) => {
    const page = gatewayPages.get(section);
    return page ? named(section, documentFields(page), doc, '') : [];
  });
