import type { Field } from '@farlink/contract/kit/field.ts';
import { filterParams } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { lazy, Suspense, type SyntheticEvent, useId, useState } from 'react';
import { Button } from '../../ui/native/button.tsx';
import { IconButton } from '../../ui/native/icon-button.tsx';
import { Refusal } from '../../ui/native/refusal.tsx';
import { SettingIcon } from '../../ui/theme/icons.ts';
import '../../ui/styles/filter.css';
import { t } from '../chrome/lang.ts';
import { isNames, useLocalPreference } from '../chrome/local-preference.ts';
import { FilterControl } from './filter-control.tsx';
import { numbersRefusal, rangeRefusal } from './filter-rules.ts';
import type { Filters } from './list-state.ts';
import type { ListPage } from './use-list.ts';

const FilterSettings = lazy(() => import('./filter-settings.tsx'));

const texts = {
  query: ['查询', 'Search'],
  reset: ['重置', 'Reset'],
  settings: ['筛选设置', 'Filter settings'],
} as const satisfies Record<string, Text>;

interface FilterBarProps {
  readonly page: ListPage;
  readonly filters: Filters;
  readonly search: (filters: Filters) => void;
}

const isTime = ({ kind }: Field) => kind === 'time' || kind === 'date';

const filled = (draft: Filters): Filters => Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== ''));
const trimmed = (draft: Filters): Filters => filled(Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, value.trim()])));

export const FilterBar = ({ page, filters, search }: FilterBarProps) => {
  const { resource, listParams: scope = {} } = page;
  const id = useId();
  const [chosen, setChosen] = useLocalPreference(`search-${page.key}`, isNames);
  const [settings, setSettings] = useState(false);
  const [draft, setDraft] = useState(filters);
  const [lastFilters, setLastFilters] = useState(filters);
  // The URL can change under the form: back button, shared link, cleared filter.
  if (JSON.stringify(lastFilters) !== JSON.stringify(filters)) {
    setLastFilters(filters);
    setDraft(filters);
  }

  const shown = chosen ?? resource.filters.slice(0, limits.filterColumns);
  const items = resource.filters.flatMap((name) => {
    const field = resource.fields[name];
    return field && shown.includes(name)
      ? [{ name, field, refusal: isTime(field) ? rangeRefusal(name, field, draft) : numbersRefusal(name, draft) }]
      : [];
  });

  // A hidden filter must not stay active.
  const shownParams = new Set(items.flatMap(({ name, field }) => Object.keys(filterParams(name, field))));
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (items.every((item) => !item.refusal))
      search(trimmed(Object.fromEntries(Object.entries(draft).filter(([name]) => shownParams.has(name)))));
  };
  const put = (values: Filters) => setDraft((old) => filled({ ...old, ...values }));
  const reset = () => {
    setDraft({});
    search({});
  };
  const save = (names: string[]) => {
    setChosen(names);
    setSettings(false);
  };

  return (
    <>
      <form className="filter-bar" onSubmit={submit}>
        {items.map(({ name, field, refusal }) => (
          <div className="filter" data-kind={field.kind} key={name}>
            <label htmlFor={`${id}-${name}`}>{t(field.label)}</label>
            <FilterControl id={`${id}-${name}`} name={name} field={field} scope={scope} draft={draft} put={put} />
            <Refusal text={refusal && t(refusal)} />
          </div>
        ))}
        <div className="filter-buttons">
          <Button kind="primary" type="submit">
            {t(texts.query)}
          </Button>
          <Button onClick={reset}>{t(texts.reset)}</Button>
          <IconButton label={t(texts.settings)} onClick={() => setSettings(true)}>
            <SettingIcon aria-hidden />
          </IconButton>
        </div>
      </form>
      {settings && (
        <Suspense>
          <FilterSettings resource={resource} shown={shown} onClose={() => setSettings(false)} onSave={save} />
        </Suspense>
      )}
    </>
  );
};
