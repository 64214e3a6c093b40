import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';

export interface Preview {
  readonly notes: readonly PreviewNote[];
  readonly values: Values;
}

const isNote = (value: unknown): value is PreviewNote => isRecord(value) && typeof value.text === 'string';

/** The reply of a preview call. */
export const previewOf = (reply: unknown): Preview => ({
  notes: isRecord(reply) && Array.isArray(reply.notes) ? reply.notes.filter(isNote) : [],
  values: isRecord(reply) && isRecord(reply.values) ? reply.values : {},
});
