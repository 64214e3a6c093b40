import type { Field } from '@farlink/contract/kit/field.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { t } from '../chrome/lang.ts';

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Values of a field of kind `states`, with label and color of each state. */
export const stateTagsOf = (field: Field, value: unknown) =>
  (Array.isArray(value) ? value : []).filter(isRecord).map((tag) => {
    const found = field.options?.find((o) => String(o.id) === String(tag.state));
    return { name: String(tag.name), state: found ? t(found.label) : String(tag.state), hue: found?.color, color: textOf(tag.color) };
  });

/** Values of a field of kind `tags`, with the labels of its options if any. */
export const tagsOf = (field: Field, value: unknown) =>
  (Array.isArray(value) ? value : [value]).map((tag) => {
    const found = field.options?.find((o) => o.id === tag);
    return { label: found ? t(found.label) : String(tag), color: found?.color };
  });
