import { makeCard } from '@farlink/contract/card/card-rule.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { callRows } from '../../kit/call-rows.ts';
import { startValues } from '../../kit/form-values.ts';
import { t } from '../../kit/lang.ts';
import { confirm, notify } from '../../kit/notify.tsx';
import { RecordPage } from '../../kit/record-page.tsx';
import type { FormState } from '../../kit/use-form.ts';
import { isObject } from '../../kit/wire.ts';
import { numberText } from '../../ui/format.ts';

const words = {
  ordered: ['制卡任务已创建，共 {0} 个批次', 'Making started: {0} batch(es)'],
  sum: ['共 {0} 种卡，{1} 张', '{0} card type(s), {1} cards in all'],
  cards: ['卡片', 'Cards'],
  terms: ['使用范围与有效期', 'Where and how long'],
} as const satisfies Record<string, Text>;

const { make } = makeCard.forms;
const { submit, cancel } = makeCard.actions;
const sections = [
  { title: words.cards, fields: ['name', 'cards'] },
  { title: words.terms, fields: ['bind_type', 'device_id', 'device_group_id', 'expire_at', 'remark'] },
] as const;

const linesOf = (values: Values): readonly Values[] => (Array.isArray(values.cards) ? values.cards.filter(isObject) : []);

const sumText = (values: Values) => {
  const lines = linesOf(values);
  const count = lines.reduce((sum, line) => sum + (Number(line.count) || 0), 0);
  return t(words.sum, lines.length, numberText(count));
};

const note = (name: string, form: FormState) => (name === 'cards' ? <div className="muted">{sumText(form.values)}</div> : undefined);

/** Orders cards; their batches show how far they are. */
const MakeCard = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const start = { ...startValues(make.fields), cards: [startValues(make.fields.cards.items ?? {})] };
  const order = async (values: Values, key: string) => {
    if (!(await confirm(submit.confirm, { of: `${String(values.name ?? '')} · ${sumText(values)}` }))) return;
    await callRows(submit.call, [], values, { overlay: false, key });
    await client.invalidateQueries();
    notify.success(t(words.ordered, Array.isArray(values.cards) ? values.cards.length : 0));
    await navigate(cancel.to, { replace: true });
  };
  return (
    <RecordPage form={make} start={start} sections={sections} submitLabel={submit.label} onSubmit={order} back={cancel.to} note={note} />
  );
};
export default MakeCard;
