import { bulkFields, configCampaignCalls } from '@farlink/contract/config/campaign.ts';
import type { ConfigTree } from '@farlink/contract/config/config.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import { form } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import type { GatewayField } from '@farlink/gateway/kit/field.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import { DocumentFields } from '../../../kit/document/document-fields.tsx';
import { usePage } from '../../../kit/document/schema.ts';
import { useDocument } from '../../../kit/document/use-document.ts';
import { startValues } from '../../../kit/form/form-values.ts';
import { RecordForm } from '../../../kit/form/record-form.tsx';
import { callRows } from '../../../kit/net/call-rows.ts';
import { AntdSelect } from '../../../ui/antd/select.tsx';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { useTree } from '../use-config.ts';

const texts = {
  title: ['批量修改某一项', 'Set one field on many devices'],
  page: ['配置页', 'Page'],
  field: ['配置项', 'Field'],
  row: ['行标识（* 表示所有行）', 'Row (* for all rows)'],
  select: ['请选择', 'Please select'],
  choose: ['先选择配置页和配置项', 'Choose a page and a field first'],
  value: ['新值（留空表示清空该项）', 'New value (leave empty to clear the field)'],
  hint: [
    '每台设备只改这一项，其他保持不变；结果在下发任务中跟踪',
    'Only this field changes on each device. Track progress in the campaign.',
  ],
} as const satisfies Record<string, Text>;

const howFields = pick(bulkFields, 'target', 'vno_id', 'device_group_id', 'device_ids', 'force', 'keep', 'note');
const howForm = form(texts.title, howFields);

const fieldsOf = (page: GatewayPage | null | undefined): readonly (readonly [string, GatewayField])[] =>
  page ? Object.entries(page.fields).filter(([name, field]) => !field.reported && name !== page.keyField && field.kind !== 'file') : [];

interface ValueProps {
  readonly name: string;
  readonly field: GatewayField;
  readonly values: Values;
  readonly onPut: (patch: Values) => void;
}

const BulkValue = ({ name, field, values, onPut }: ValueProps) => {
  const { when: _, ...rest } = field;
  const fields = { [name]: { ...rest, required: false } };
  const state = useDocument(fields, values);
  return <DocumentFields fields={fields} values={values} onPut={onPut} state={state} />;
};

interface BulkPanelProps {
  readonly device: ConfigTree['device'];
  readonly page: string | undefined;
  readonly onClose: () => void;
}

const BulkPanel = ({ device, page: opened, onClose }: BulkPanelProps) => {
  const navigate = useNavigate();
  const { data: tree } = useTree(device.id);
  const nodes = tree?.groups.flatMap(({ pages }) => pages.filter((node) => node.state !== null && node.writable)) ?? [];
  const [key, setKey] = useState(() => opened);
  const page = usePage(key ?? '');
  const [name, setName] = useState<string>();
  const [row, setRow] = useState('*');
  const [values, setValues] = useState<Values>({});
  const field = name === undefined ? undefined : page?.fields[name];
  const submit = async (how: Values, attempt: string) => {
    const value = { value: name === undefined ? null : (values[name] ?? null) };
    const isList = page?.kind === 'list';
    const input = { ...how, page: key, field: name, value, ...(isList && { row: row.trim() }) };
    const reply: unknown = await callRows(configCampaignCalls.bulk, [], input, { overlay: false, key: attempt });
    onClose();
    if (isRecord(reply)) await navigate(`/device/config-campaign/${String(reply.id)}`);
  };
  return (
    <Panel title={t(texts.title)} width={760} onClose={onClose}>
      <p className="muted">{t(texts.hint)}</p>
      <div className="tool-grid">
        <div className="doc-field">
          <div className="row muted doc-label">
            <label htmlFor="bulk-page">{t(texts.page)}</label>
          </div>
          <AntdSelect<string>
            id="bulk-page"
            value={nodes.some((node) => node.key === key) ? key : undefined}
            options={nodes.map((node) => ({ value: node.key, label: t([node.zh, node.en]) }))}
            onChange={(next) => {
              setKey(next);
              setName(undefined);
              setValues({});
            }}
            placeholder={t(texts.select)}
            searchable
          />
        </div>
        <div className="doc-field">
          <div className="row muted doc-label">
            <label htmlFor="bulk-field">{t(texts.field)}</label>
          </div>
          <AntdSelect<string>
            id="bulk-field"
            value={name}
            options={fieldsOf(page).map(([value, { label }]) => ({ value, label: t(label) }))}
            onChange={(next) => {
              setName(next);
              setValues({});
            }}
            placeholder={t(texts.select)}
            searchable
          />
        </div>
        {page?.kind === 'list' && (
          <div className="doc-field">
            <div className="row muted doc-label">
              <label htmlFor="bulk-row">{t(texts.row)}</label>
            </div>
            <LineInput id="bulk-row" value={row} onChange={setRow} isMono />
          </div>
        )}
      </div>
      {field && name !== undefined ? (
        <>
          <p className="muted">{t(texts.value)}</p>
          <BulkValue
            key={`${key} ${name}`}
            name={name}
            field={field}
            values={values}
            onPut={(patch) => setValues((old) => ({ ...old, ...patch }))}
          />
          <RecordForm form={howForm} start={startValues(howFields)} onSubmit={submit} onCancel={onClose} />
        </>
      ) : (
        <EmptyState title={t(texts.choose)} />
      )}
    </Panel>
  );
};
export default BulkPanel;
