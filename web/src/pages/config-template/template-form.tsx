import {
  configTemplateCreate,
  configTemplateEdit,
  type TemplateView,
  templateCalls,
  templateHead,
} from '@farlink/contract/config/config-template.ts';
import { variant } from '@farlink/contract/kit/field.ts';
import { form } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { startValues } from '../../kit/form/form-values.ts';
import { RecordPage } from '../../kit/form/record-page.tsx';
import { useLeaveGuard } from '../../kit/form/use-leave-guard.ts';
import { CallError } from '../../kit/net/call.ts';
import { callRows } from '../../kit/net/call-rows.ts';
import { useMe } from '../../kit/net/session.ts';
import { Callout } from '../../ui/native/callout.tsx';
import './config-template.css';
import { TemplateEditor, useTemplatePages } from './template-editor.tsx';
import { type EditedTemplateParts, toEdited, toSent } from './template-values.ts';

const texts = {
  created: ['模板已保存；下发后设备才会改变', 'Template saved. Devices change when it is applied.'],
  save: ['保存模板', 'Save template'],
  about: ['基本信息', 'About'],
  variables: ['变量', 'Variables'],
  limited: ['部分配置页您只能查看，或不可见；它们保持不变', 'Some pages are view-only or hidden for you; they stay unchanged'],
} as const satisfies Record<string, Text>;

const list = '/device/config-template';

/** The level of a template cannot change after creation. */
const placedFields = {
  ...templateHead,
  level: variant(templateHead.level, { readonly: true }),
  vno_id: variant(templateHead.vno_id, { readonly: true }),
  device_group_id: variant(templateHead.device_group_id, { readonly: true }),
};

const sections = [
  { title: texts.about, fields: ['name', 'level', 'vno_id', 'device_group_id', 'enabled', 'rank', 'remark'] },
  { title: texts.variables, fields: ['variables'] },
] as const;

/** A template as a page: name, level, variables and pages. */
export const TemplateForm = ({ view }: { readonly view: TemplateView | undefined }) => {
  const me = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const groups = useTemplatePages();
  const start: EditedTemplateParts = Object.fromEntries(Object.entries(view?.sections ?? {}).map(([key, part]) => [key, toEdited(part)]));
  const [parts, setParts] = useState(start);
  const [first] = useState(start);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const saved = useRef(false);
  useLeaveGuard(() => !saved.current && parts !== first && JSON.stringify(parts) !== JSON.stringify(first));
  const levels = templateHead.level.options?.filter(({ id }) => id !== 'platform' || me.agent_level === 0) ?? [];
  const fields = view ? placedFields : { ...templateHead, level: { ...templateHead.level, options: levels } };
  const kinds = new Map(groups.flatMap(({ pages }) => pages.map(({ key, kind }) => [key, kind])));

  const submit = async (values: Values, key: string) => {
    const sent = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, toSent(kinds.get(key) ?? 'form', part)]));
    const scope = view ? { level: view.level, vno_id: view.vno_id, device_group_id: view.device_group_id } : {};
    const input = { ...values, ...scope, sections: sent };
    saved.current = true;
    try {
      const stamp = view ? { id: view.id, version: view.version } : {};
      await callRows(view ? templateCalls.update : templateCalls.create, [], { ...input, ...stamp }, { overlay: false, key });
    } catch (error) {
      saved.current = false;
      if (error instanceof CallError) setErrors(error.fields);
      throw error;
    }
    notify.success(t(texts.created));
    await client.invalidateQueries();
    await navigate(list);
  };
  const stray = errors.sections;
  return (
    <RecordPage
      form={form((view ? configTemplateEdit : configTemplateCreate).title, fields)}
      start={{
        ...startValues(fields, view && { ...view }),
        ...(!view && { level: me.agent_level === 0 ? 'platform' : 'vno', variables: [] }),
      }}
      sections={sections}
      submitLabel={texts.save}
      back={list}
      onSubmit={submit}
      result={
        <>
          {view && !view.writable && <Callout tone="warning">{t(texts.limited)}</Callout>}
          {stray && <Callout tone="error">{stray}</Callout>}
          <TemplateEditor
            parts={parts}
            onPartsChange={(next) => {
              setParts(next);
              setErrors({});
            }}
            was={view?.sections ?? {}}
            errors={errors}
          />
        </>
      }
    />
  );
};
