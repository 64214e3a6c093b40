import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { open, seal } from '../../../kit/session/secret.ts';

/** Change that a campaign makes on each device. It may contain secrets, so it is sealed as a whole. */
export type CampaignSpec =
  | { readonly kind: 'template'; readonly template_id: number; readonly sections: readonly string[] }
  /** `row`: key of a list row, `*` for all rows, null for a form. A null `value` clears the field. */
  | { readonly kind: 'bulk'; readonly section: string; readonly field: string; readonly row: string | null; readonly value: Json }
  /** `bare`: the documents have no secrets, so each device keeps its own. */
  | { readonly kind: 'copy'; readonly docs: Readonly<Record<string, JsonObject>>; readonly bare: boolean };

export const sectionsOf = (spec: CampaignSpec): readonly string[] =>
  spec.kind === 'template' ? spec.sections : spec.kind === 'bulk' ? [spec.section] : Object.keys(spec.docs);

export const sourceOf = { template: 'template', bulk: 'bulk', copy: 'import' } as const;

export const sealSpec = (spec: CampaignSpec, key: Buffer): string => seal(key, JSON.stringify(spec));
/** Opens only values written by `sealSpec`. */
export const openSpec = (sealed: string, key: Buffer): CampaignSpec => JSON.parse(open(key, sealed));
