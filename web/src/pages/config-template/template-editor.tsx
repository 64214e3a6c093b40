import { keptSecret } from '@farlink/contract/config/config.ts';
import { type TemplatePart, templateCalls } from '@farlink/contract/config/config-template.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { confirm } from '../../kit/chrome/notify.tsx';
import { usePage } from '../../kit/document/schema.ts';
import { secretPaths } from '../../kit/document/validate-document.ts';
import { call } from '../../kit/net/call.ts';
import { AntdSelect } from '../../ui/antd/select.tsx';
import { ActButton } from '../../ui/native/act-button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { TemplateFields } from './template-fields.tsx';
import { TemplateRows } from './template-rows.tsx';
import { countOf, type EditedTemplatePart, type EditedTemplateParts, errorsBelow } from './template-values.ts';

const texts = {
  pages: ['配置页', 'Pages'],
  add: ['添加配置页', 'Add a page'],
  none: ['还没有配置页', 'No pages yet'],
  hint: ['从上方选择要由模板设置的配置页', 'Select pages above for the template to set'],
  remove: ['移除此页', 'Remove the page'],
  sure: ['移除后，模板不再设置“{0}”。确定吗？', 'The template no longer sets "{0}". Continue?'],
  readOnly: ['您只能查看此页', 'You have view-only permission for this page'],
} as const satisfies Record<string, Text>;

export const useTemplatePages = () =>
  useQuery({
    queryKey: ['template-pages'],
    queryFn: () => call(templateCalls.pages, {}, { silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.groups ?? [];

const partDoc = (page: GatewayPage, { set = {}, rows = [] }: TemplatePart) =>
  page.kind === 'list' ? { rows: rows.map((row) => ({ ...row.set, [page.keyField ?? '']: row.key })) } : set;

interface TemplatePartProps {
  readonly page: GatewayPage;
  readonly part: EditedTemplatePart;
  readonly onPart: (part: EditedTemplatePart) => void;
  /** As loaded, with `keptSecret` in place of secrets. */
  readonly was: TemplatePart | undefined;
  readonly served: Readonly<Record<string, string>>;
  readonly isReadOnly: boolean;
}

const TemplatePartEditor = ({ page, part, onPart, was, served, isReadOnly }: TemplatePartProps) => {
  const keptPaths = was ? secretPaths(page, partDoc(page, was)) : new Set<string>();
  if (page.kind === 'list')
    return (
      <TemplateRows
        page={page}
        rows={part.rows}
        onRows={(rows) => onPart({ ...part, rows })}
        served={served}
        isKept={(key, path) => keptPaths.has(`rows[${key}].${path}`)}
        isReadOnly={isReadOnly}
      />
    );
  return (
    <TemplateFields
      fields={page.fields}
      set={part.set}
      onSet={(set) => onPart({ ...part, set })}
      served={served}
      isKept={(path) => keptPaths.has(path)}
      isReadOnly={isReadOnly}
    />
  );
};

interface TemplateEditorProps {
  readonly parts: EditedTemplateParts;
  readonly onPartsChange: (parts: EditedTemplateParts) => void;
  readonly was: Readonly<Record<string, TemplatePart>>;
  readonly errors: Readonly<Record<string, string>>;
}

const hasKeptSecret = (value: unknown): boolean =>
  value === keptSecret || (typeof value === 'object' && value !== null && Object.values(value).some(hasKeptSecret));

/** The pages of a template: list on the left, editor on the right. */
export const TemplateEditor = ({ parts, onPartsChange, was, errors }: TemplateEditorProps) => {
  const groups = useTemplatePages();
  const all = groups.flatMap((group) => group.pages.map((page) => ({ ...page, group: t([group.zh, group.en]) })));
  const chosen = all.filter(({ key }) => key in parts);
  const [selected, setSelected] = useState<string>();
  const wrong = chosen.find(({ key }) => Object.keys(errorsBelow(errors, `sections.${key}.`)).length > 0)?.key;
  const current = chosen.find(({ key }) => key === selected) ?? chosen.find(({ key }) => key === wrong) ?? chosen[0];
  const page = usePage(current?.key ?? '');
  const part = current && parts[current.key];
  const put = (key: string, next: EditedTemplatePart) => onPartsChange({ ...parts, [key]: next });
  const add = (key: string | undefined) => {
    if (key === undefined) return;
    put(key, { set: {}, rows: [] });
    setSelected(key);
  };
  const remove = async (key: string, title: string) => {
    const isEmpty = countOf(parts[key] ?? { set: {}, rows: [] }) === 0;
    if (!isEmpty && !(await confirm([texts.sure[0].replace('{0}', title), texts.sure[1].replace('{0}', title)]))) return;
    onPartsChange(Object.fromEntries(Object.entries(parts).filter(([name]) => name !== key)));
  };
  const offered = all
    .filter(({ key, writable }) => writable && !(key in parts))
    .map(({ key, zh, en, group }) => ({ value: key, label: `${group} / ${t([zh, en])}` }));
  return (
    <section className="columns template-editor" aria-label={t(texts.pages)}>
      <div className="column template-side">
        <AntdSelect<string>
          // The select is used as an action, so it is cleared after each choice.
          key={Object.keys(parts).length}
          value={undefined}
          options={offered}
          onChange={add}
          placeholder={t(texts.add)}
          label={t(texts.add)}
          searchable
        />
        <ul>
          {chosen.map(({ key, zh, en, group }) => {
            const faults = Object.keys(errorsBelow(errors, `sections.${key}.`)).length;
            return (
              <li key={key}>
                <button
                  type="button"
                  className="choice template-page"
                  aria-current={key === current?.key || undefined}
                  onClick={() => setSelected(key)}
                >
                  <span className="clip">{t([zh, en])}</span>
                  <small className="muted clip">{group}</small>
                  <span className={faults > 0 ? 'tag hue-red' : 'tag hue-default'}>
                    {faults > 0 ? `! ${faults}` : countOf(parts[key] ?? { set: {}, rows: [] })}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
      <div className="template-main">
        {!current && <EmptyState title={t(texts.none)} hint={t(texts.hint)} />}
        {current && (
          <div className="template-head">
            <h3>{t([current.zh, current.en])}</h3>
            {page && <span className="muted clip">{t(page.summary)}</span>}
            <span className="spring" />
            {current.writable ? (
              <ActButton
                label={t(texts.remove)}
                of={t([current.zh, current.en])}
                danger
                onClick={() => void remove(current.key, t([current.zh, current.en]))}
              />
            ) : (
              <span className="muted">{t(texts.readOnly)}</span>
            )}
          </div>
        )}
        {current && page && part && (
          <TemplatePartEditor
            key={current.key}
            page={page}
            part={part}
            onPart={(next) => put(current.key, next)}
            was={hasKeptSecret(was[current.key]) ? was[current.key] : undefined}
            served={errorsBelow(errors, `sections.${current.key}.`)}
            isReadOnly={!current.writable}
          />
        )}
      </div>
    </section>
  );
};
