import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';

export interface SectionNames {
  readonly title: Text;
  readonly fields: readonly string[];
}

interface Section {
  readonly key: string;
  readonly title?: Text;
  readonly fields: readonly (readonly [string, Field])[];
}

/** The fields under their headings; fields without a heading come last, so none is lost. */
export const sectionsOf = (fields: Fields, named: readonly SectionNames[]): readonly Section[] => {
  const taken = new Set(named.flatMap((section) => section.fields));
  const take = (name: string) => {
    const field = fields[name];
    return field ? [[name, field] as const] : [];
  };
  return [
    ...named.map(({ title, fields: names }) => ({ key: title[0], title, fields: names.flatMap(take) })),
    { key: '', fields: Object.entries(fields).filter(([name]) => !taken.has(name)) },
  ].filter((section) => section.fields.length > 0);
};
