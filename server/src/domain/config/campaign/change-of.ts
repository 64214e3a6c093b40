import { reasonTexts } from '@farlink/contract/config/campaign.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { factoryOf, keyOf, readDocument, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { ConfigProblem, Problem } from '@farlink/gateway/kit/problem.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { docHash } from '../../../config-doc/doc-hash.ts';
import { checkChange, type SectionDoc, type SectionDocs } from '../documents.ts';
import { fillSecrets } from '../fill-secrets.ts';
import { effective, type Layer } from '../layers.ts';
import { ownPathsAfter } from '../own-values.ts';
import type { CampaignSpec } from './campaign-spec.ts';
import { sectionsOf } from './campaign-spec.ts';

/** Result of a campaign for one device: unchanged, documents to apply, or a reason for refusal. */
export type Outcome =
  | { readonly state: 'unchanged'; readonly reason?: Text }
  | { readonly state: 'invalid'; readonly page: string; readonly path: string; readonly reason: Text }
  | { readonly state: 'changed'; readonly docs: ReadonlyMap<string, JsonObject>; readonly own: ReadonlyMap<string, readonly string[]> };

interface DeviceState {
  readonly docs: SectionDocs;
  readonly layersOf: (page: GatewayPage) => readonly Layer[];
  /** Also overwrites local changes of the gateway. */
  readonly force: boolean;
}

interface Computed {
  readonly doc: JsonObject;
  readonly own: readonly string[];
  readonly problems: readonly Problem[];
  /** Reason why nothing changes, if it is not obvious. */
  readonly unchangedReason?: Text;
}

const inheritedDoc = (page: GatewayPage, layers: readonly Layer[]) => effective(page, layers, { doc: factoryOf(page), own: [] }).doc;

const withField = (values: JsonObject, field: string, value: Json): JsonObject => {
  const { [field]: _, ...rest } = values;
  return value === null ? rest : { ...rest, [field]: value };
};

/** Document with one field set: in a form, in the row with this key, or in all rows. */
const bulkDoc = (
  page: GatewayPage,
  doc: JsonObject,
  { field, row, value }: Extract<CampaignSpec, { kind: 'bulk' }>,
): JsonObject | undefined => {
  if (page.kind !== 'list') return withField(doc, field, value);
  const isTargetRow = (one: JsonObject) => row === '*' || keyOf(page, one) === row;
  if (!rowsOf(doc).some(isTargetRow)) return undefined;
  return { rows: rowsOf(doc).map((one) => (isTargetRow(one) ? withField(one, field, value) : one)) };
};

const compute = (spec: CampaignSpec, page: GatewayPage, now: SectionDoc, layers: readonly Layer[]): Computed => {
  if (spec.kind === 'template') return { ...effective(page, layers, now), own: now.own };
  const raw = spec.kind === 'bulk' ? bulkDoc(page, now.doc, spec) : copiedDoc(page, spec, now);
  if (!raw) return { doc: now.doc, own: now.own, problems: [], unchangedReason: reasonTexts.no_row };
  const { doc, problems } = readDocument(page, raw);
  const own = ownPathsAfter(page, now.own, now.doc, doc, inheritedDoc(page, layers));
  return { doc, own, problems, ...(spec.kind === 'bulk' && { unchangedReason: reasonTexts.no_value }) };
};

const copiedDoc = (page: GatewayPage, { docs, bare }: Extract<CampaignSpec, { kind: 'copy' }>, now: SectionDoc) => {
  const doc = docs[page.key];
  return doc && bare ? fillSecrets(page, doc, now.doc) : doc;
};

/** A document is not sent again if the gateway has confirmed it, or if no other was ever sent. */
const isInForce = (now: SectionDoc, doc: JsonObject) => docHash(doc) === now.hash && (now.state === 'applied' || now.state === 'none');

const invalid = ({ section, path, text }: ConfigProblem): Outcome => ({ state: 'invalid', page: section, path, reason: text });

export const changeOf = (spec: CampaignSpec, { docs, layersOf, force }: DeviceState): Outcome => {
  const changed = new Map<string, JsonObject>();
  const own = new Map<string, readonly string[]>();
  let unchangedReason: Text | undefined;
  for (const section of sectionsOf(spec)) {
    const page = gatewayPages.get(section);
    const now = docs.get(section);
    if (!page || !now) continue;
    const computed = compute(spec, page, now, layersOf(page));
    const [problem] = computed.problems;
    if (problem) return invalid({ ...problem, section });
    if (isInForce(now, computed.doc)) {
      // Reported for a hidden field or a missing row, not when the value is already set.
      if (computed.unchangedReason && hasNothingToSet(spec, page, now)) unchangedReason = computed.unchangedReason;
      continue;
    }
    if (now.state === 'drifted' && !force) return { state: 'invalid', page: section, path: '', reason: reasonTexts.drifted };
    changed.set(section, computed.doc);
    own.set(section, computed.own);
  }
  if (changed.size === 0) return { state: 'unchanged', ...(unchangedReason && { reason: unchangedReason }) };
  const [problem] = checkChange(docs, changed);
  return problem ? invalid(problem) : { state: 'changed', docs: changed, own };
};

const hasNothingToSet = (spec: CampaignSpec, page: GatewayPage, now: SectionDoc) => {
  if (spec.kind !== 'bulk') return false;
  if (page.kind !== 'list') return spec.value !== null && now.doc[spec.field] === undefined;
  return !rowsOf(now.doc).some((row) => spec.row === '*' || keyOf(page, row) === spec.row);
};
