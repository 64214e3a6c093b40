import { makeCard } from '@farlink/contract/card/card-rule.ts';
import { cents, priceText } from '@farlink/contract/kit/money.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { offerCalls } from '@farlink/contract/package/offer.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { confirm, notify } from '../../kit/chrome/notify.tsx';
import { startValues } from '../../kit/form/form-values.ts';
import { useOptions } from '../../kit/form/options.ts';
import { RecordPage } from '../../kit/form/record-page.tsx';
import type { FormState } from '../../kit/form/use-form.ts';
import { callRows } from '../../kit/net/call-rows.ts';
import { numberText } from '../../ui/format.ts';

const texts = {
  ordered: ['制卡任务已创建，共 {0} 个批次', 'Cards are being made. Batches: {0}'],
  sum: ['共 {0} 种卡，{1} 张', 'Card types: {0}, cards in total: {1}'],
  line: ['第 {0} 行：面值 {1} × {2} 张 = {3}', 'Line {0}: face value {1} × {2} cards = {3}'],
  faceValue: ['面值合计 {0}', 'Total face value {0}'],
  unbilled: ['制卡不收款，不产生账单；卡片使用时入账。', 'Making cards charges nothing and creates no bill. Cards are billed when used.'],
  cards: ['卡片', 'Cards'],
  terms: ['使用范围与有效期', 'Where and how long'],
} as const satisfies Record<string, Text>;

const { make } = makeCard.forms;
const { submit, cancel } = makeCard.actions;
const sections = [
  { title: texts.cards, fields: ['name', 'cards'] },
  { title: texts.terms, fields: ['bind_type', 'device_id', 'device_group_id', 'expire_at', 'remark'] },
] as const;

const linesOf = ({ cards }: Values): readonly Values[] => (Array.isArray(cards) ? cards.filter(isRecord) : []);
const countOf = (line: Values) => Number(line.count) || 0;

/** Value of one card of each line in cents, by the rule of the server. */
const useFaceValue = () => {
  const { items } = useOptions(offerCalls.option.path, {});
  return (line: Values): bigint | undefined => {
    if (line.card_type === 'amount') return moneyOf(line.denomination);
    const price = moneyOf(items.find((item) => item.value === Number(line.package_id))?.more?.price);
    return price === undefined ? undefined : price * BigInt(Math.max(1, Math.trunc(Number(line.period)) || 1));
  };
};

const moneyOf = (value: unknown) => (/^\d{1,9}(\.\d{1,2})?$/.test(String(value ?? '').trim()) ? cents(String(value).trim()) : undefined);

const faceValueTexts = (lines: readonly Values[], faceValueOf: (line: Values) => bigint | undefined): string[] => {
  const priced = lines.flatMap((line, i) => {
    const faceValue = faceValueOf(line);
    return faceValue === undefined ? [] : [{ i, faceValue, count: countOf(line), all: faceValue * BigInt(countOf(line)) }];
  });
  const total = priced.reduce((sum, { all }) => sum + all, 0n);
  return [
    t(texts.sum, lines.length, numberText(lines.reduce((sum, line) => sum + countOf(line), 0))),
    ...priced.map(({ i, faceValue, count, all }) => t(texts.line, i + 1, priceText(faceValue), numberText(count), priceText(all))),
    ...(priced.length > 0 && priced.length === lines.length ? [t(texts.faceValue, priceText(total))] : []),
    t(texts.unbilled),
  ];
};

const FaceValueNote = ({ texts }: { readonly texts: readonly string[] }) => (
  <div className="muted" role="status">
    {texts.map((text) => (
      <p key={text}>{text}</p>
    ))}
  </div>
);

/** Creates cards; their batches show the progress. */
const MakeCard = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const faceValueOf = useFaceValue();
  const textsOf = (values: Values) => faceValueTexts(linesOf(values), faceValueOf);
  const note = (name: string, { values }: FormState) => (name === 'cards' ? <FaceValueNote texts={textsOf(values)} /> : undefined);
  const start = { ...startValues(make.fields), cards: [startValues(make.fields.cards.items ?? {})] };
  const order = async (values: Values, key: string) => {
    const about = <FaceValueNote texts={textsOf(values)} />;
    if (!(await confirm(submit.confirm, { of: String(values.name ?? ''), about }))) return;
    await callRows(submit.call, [], values, { overlay: false, key });
    await client.invalidateQueries();
    notify.success(t(texts.ordered, Array.isArray(values.cards) ? values.cards.length : 0));
    await navigate(cancel.to, { replace: true });
  };
  return (
    <RecordPage form={make} start={start} sections={sections} submitLabel={submit.label} onSubmit={order} back={cancel.to} note={note} />
  );
};
export default MakeCard;
