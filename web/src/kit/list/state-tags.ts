import type { Field } from '@farlink/contract/kit/field.ts';
import { t } from '../chrome/lang.ts';
import { isObject } from '../net/wire.ts';

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** What a field of kind `states` holds, with the words and the hue of each state. */
export const stateTagsOf = (field: Field, value: unknown) =>
  (Array.isArray(value) ? value : []).filter(isObject).map((tag) => {
    const found = field.options?.find((o) => String(o.id) === String(tag.state));
    return { name: String(tag.name), state: found ? t(found.label) : String(tag.state), hue: found?.color, color: textOf(tag.color) };
  });

/** What a field of kind `tags` holds, in words: those of its options, where it has any. */
export const tagsOf = (field: Field, value: unknown) =>
  (Array.isArray(value) ? value : [value]).map((tag) => {
    const found = field.options?.find((o) => o.id === tag);
    return { label: found ? t(found.label) : String(tag), color: found?.color };
  });
