import type { Fields } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Toggle } from '../../ui/antd/toggle.tsx';
import { Refusal } from '../../ui/native/refusal.tsx';
import { TabRow } from '../../ui/native/tab-row.tsx';
import { t } from '../chrome/lang.ts';
import type { FormState } from '../form/use-form.ts';
import { call } from '../net/call.ts';
import { flagsOf, type Grants, grantsOf, readAll, treeOf, writeAll } from './grant-state.ts';
import GrantTree from './grant-tree.tsx';

const readAllText: Text = ['全部可查看', 'Read all'];
const writeAllText: Text = ['全部可操作', 'Write all'];

const treeQuery = (lookup: string) => ({
  queryKey: ['tree', lookup],
  queryFn: async () => treeOf(await call({ method: 'GET', path: lookup, kind: 'tree' }, {}, { silent: true })),
  staleTime: 30_000,
  retry: false,
});

interface GrantEditorProps {
  readonly id: string;
  readonly fields: Fields;
  readonly form: FormState;
}

/** Editor for all grants fields of a form, with two switches that set all of them. */
const GrantEditor = ({ id, fields, form }: GrantEditorProps) => {
  const names = Object.keys(fields);
  const [tab, setTab] = useState(names[0] ?? '');
  const replies = useQueries({ queries: Object.values(fields).map((field) => treeQuery(field.lookup ?? '')) });
  const groups = names.map((name, i) => ({ name, tree: replies[i]?.data ?? [], grants: grantsOf(form.values[name]) }));
  const put = (next: (group: (typeof groups)[number]) => Grants) => {
    const changed = groups.map((group) => ({ ...group, grants: next(group) }));
    form.put({ ...Object.fromEntries(changed.map((group) => [group.name, group.grants])), ...flagsOf(changed) });
  };
  const current = groups.find((group) => group.name === tab);
  const error = names.map((name) => form.errors[name]).find(Boolean);
  return (
    <div className="grant-editor">
      <div className="row grant-head">
        <TabRow
          tabs={Object.entries(fields).map(([name, field]) => ({ name, label: t(field.label), needed: field.required }))}
          current={tab}
          onSelect={setTab}
        />
        <Toggle
          label={t(readAllText)}
          on={form.values.read_all === true}
          onSet={(on) => put((group) => readAll(group.tree, group.grants, on))}
        />
        <Toggle
          label={t(writeAllText)}
          on={form.values.write_all === true}
          onSet={(on) => put((group) => writeAll(group.tree, group.grants, on))}
        />
      </div>
      <Refusal text={error} />
      {current && (
        <GrantTree
          key={tab}
          id={`${id}-${tab}`}
          tree={current.tree}
          grants={current.grants}
          onChange={(grants) => put((group) => (group.name === tab ? grants : group.grants))}
        />
      )}
    </div>
  );
};
export default GrantEditor;
